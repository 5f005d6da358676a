#!/usr/bin/env python3
"""Runs a program through the C interface: c_interface.py LIBRARY A.fuse."""

import ctypes
import os
import sys
from ctypes import byref, c_char_p, c_float, c_int64, c_size_t, c_uint64
from ctypes import c_void_p

runtime = ctypes.CDLL(sys.argv[1])


def failure(function, *arguments):
    """Calls a function that returns an error; its code and text, or None."""
    function.restype = c_void_p
    error = function(*arguments)
    if not error:
        return None
    runtime.fuse_error_get_message.restype = c_char_p
    text = runtime.fuse_error_get_message(c_void_p(error)).decode()
    code = runtime.fuse_error_get_code(c_void_p(error))
    runtime.fuse_error_destroy(c_void_p(error))
    return f"error {code}: {text}"


def check(function, *arguments):
    problem = failure(function, *arguments)
    if problem:
        sys.exit(problem)


def aligned(values):
    """An array of floats at a multiple of 256 bytes, and what keeps it."""
    memory = ctypes.create_string_buffer(4 * len(values) + 256)
    offset = -ctypes.addressof(memory) % 256
    array = (c_float * len(values)).from_buffer(memory, offset)
    array[:] = values
    return array


def main():
    version = runtime.fuse_api_version()
    print(f"version {version >> 16}.{version & 0xffff}")

    program = c_void_p()
    check(runtime.fuse_program_load_file, sys.argv[2].encode(), byref(program))
    runtime.fuse_program_name.restype = c_char_p
    runtime.fuse_program_tensor_name.restype = c_char_p
    names = [runtime.fuse_program_tensor_name(program, c_size_t(i)).decode()
             for i in range(3)]
    name = runtime.fuse_program_name(program).decode()
    print(f"{name}: {' '.join(names[:2])} -> {names[2]}")

    dims = (c_int64 * 1)(2)
    size = c_uint64()
    check(runtime.fuse_workspace_size, program, dims, c_size_t(1), byref(size))
    print(f"workspace: {size.value}")
    print(failure(runtime.fuse_workspace_size, program, (c_int64 * 1)(5000),
                  c_size_t(1), byref(size)))

    runtime.fuse_options_create.restype = c_void_p
    options = c_void_p(runtime.fuse_options_create())
    for option, value in (("search-path", os.environ["PATH"]),
                          ("cache", os.environ["FUSE_CACHE_DIR"])):
        check(runtime.fuse_options_set, options, option.encode(),
              value.encode())
    device, kernels = c_void_p(), c_void_p()
    check(runtime.fuse_device_open, b"host", options, byref(device))
    runtime.fuse_device_description.restype = c_char_p
    print(runtime.fuse_device_description(device).decode())
    check(runtime.fuse_prepare, device, program, byref(kernels))

    x = aligned([1, 1, 1, 1, 2, 2, 2, 2])
    w, y, workspace = aligned([4, 8, 12, 16]), aligned([0] * 8), aligned([0, 0])
    pointers = (c_void_p * 3)(*map(ctypes.addressof, (x, w, y)))

    def launch(workspace_bytes):
        return failure(runtime.fuse_launch, kernels, pointers, c_size_t(3),
                       dims, c_size_t(1), None,
                       c_void_p(ctypes.addressof(workspace)),
                       c_uint64(workspace_bytes), None)

    print(launch(8) or list(y))
    print(launch(4))
    for destroy, handle in ((runtime.fuse_executable_destroy, kernels),
                            (runtime.fuse_device_destroy, device),
                            (runtime.fuse_options_destroy, options),
                            (runtime.fuse_program_destroy, program)):
        destroy(handle)


if __name__ == "__main__":
    main()
