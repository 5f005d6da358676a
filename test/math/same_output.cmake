# Runs PROGRAMS; fails unless all of them print the same, and print something.
foreach(program IN LISTS PROGRAMS)
  execute_process(COMMAND ${program} OUTPUT_VARIABLE output
                  COMMAND_ERROR_IS_FATAL ANY)
  if(NOT DEFINED expected)
    set(expected "${output}")
  endif()
  if(output STREQUAL "")
    message(FATAL_ERROR "expects output of ${program}, but got none")
  elseif(NOT output STREQUAL expected)
    list(GET PROGRAMS 0 first)
    message(FATAL_ERROR "expects the output of ${first}:\n${expected}\n"
                        "but got from ${program}:\n${output}")
  endif()
endforeach()
