"""The C interface of the Fuse runtime, through ctypes; see runtime.h."""

import ctypes
import os
import pathlib
import sys
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_size_t
from ctypes import c_uint32, c_uint64, c_void_p

API_MAJOR = 1
NO_DEVICE = 4  # FUSE_NO_DEVICE
F32 = 2  # FUSE_DTYPE_F32

_DIMS = (POINTER(c_int64), c_size_t)

# Function -> (result, arguments); ERROR marks those that give an error.
ERROR = "error"
_FUNCTIONS = {
    "api_version": (c_uint32, ()),
    "error_get_code": (c_int, (c_void_p,)),
    "error_get_message": (c_char_p, (c_void_p,)),
    "error_destroy": (None, (c_void_p,)),
    "program_load_file": (ERROR, (c_char_p, POINTER(c_void_p))),
    "program_destroy": (None, (c_void_p,)),
    "program_num_dims": (c_size_t, (c_void_p,)),
    "program_dim_name": (c_char_p, (c_void_p, c_size_t)),
    "program_num_arguments": (c_size_t, (c_void_p,)),
    "program_num_results": (c_size_t, (c_void_p,)),
    "program_tensor_name": (c_char_p, (c_void_p, c_size_t)),
    "program_tensor_dtype": (c_int, (c_void_p, c_size_t)),
    "program_tensor_rank": (c_size_t, (c_void_p, c_size_t)),
    "program_tensor_shape": (
        ERROR, (c_void_p, c_size_t, *_DIMS, POINTER(c_int64))),
    "workspace_size": (ERROR, (c_void_p, *_DIMS, POINTER(c_uint64))),
    "options_create": (c_void_p, ()),
    "options_destroy": (None, (c_void_p,)),
    "options_set": (ERROR, (c_void_p, c_char_p, c_char_p)),
    "device_open": (ERROR, (c_char_p, c_void_p, POINTER(c_void_p))),
    "device_description": (c_char_p, (c_void_p,)),
    "device_destroy": (None, (c_void_p,)),
    "prepare": (ERROR, (c_void_p, c_void_p, POINTER(c_void_p))),
    "executable_destroy": (None, (c_void_p,)),
    "executable_num_compiled": (c_int64, (c_void_p,)),
    "launch": (ERROR, (c_void_p, POINTER(c_void_p), c_size_t, *_DIMS, c_void_p,
                       c_void_p, c_uint64, c_void_p)),
}


class FuseError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Runtime:
    """The library's functions without `fuse_`; those that fail raise."""

    def __init__(self, path):
        self._library = ctypes.CDLL(str(path))  # OSError
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(self._library, f"fuse_{name}")
            function.argtypes = arguments
            function.restype = c_void_p if result == ERROR else result
            setattr(self, name,
                    self._checked(function) if result == ERROR else function)
        version = self.api_version()
        self.version = f"{version >> 16}.{version & 0xffff}"
        if version >> 16 != API_MAJOR:
            raise OSError(f"{path}: expects API version {API_MAJOR}, but got "
                          f"{self.version}")

    def _checked(self, function):
        def call(*arguments):
            error = function(*arguments)
            if error:
                code = self.error_get_code(error)
                message = self.error_get_message(error).decode()
                self.error_destroy(error)
                raise FuseError(code, message)
        return call


def device_options(environment, root):
    """What the environment says, as our programs read it; `root` is the folder
    of the project or of a bundle."""
    options = [("driver", environment.get("FUSE_CUDA_DRIVER", "")),
               ("nvrtc", environment.get("FUSE_NVRTC", "")),
               ("cuda-home", environment.get("CUDA_HOME", "")),
               ("compiler", environment.get("FUSE_CXX", "")),
               ("search-path", environment.get("PATH", "")),
               ("cache", environment.get("FUSE_CACHE_DIR", ""))]
    folders = [root / "cuda", root / "build" / "cuda", pathlib.Path(sys.prefix)]
    options += [("python-folder", str(folder)) for folder in folders]
    return [(name, value) for name, value in options if value]


class Device:
    """`kind` is cuda or host."""

    def __init__(self, runtime, kind, root):
        self.runtime, self.handle = runtime, c_void_p()
        options = runtime.options_create()
        try:
            for name, value in device_options(os.environ, root):
                runtime.options_set(options, name.encode(), value.encode())
            runtime.device_open(kind.encode(), options, byref(self.handle))
        finally:
            runtime.options_destroy(options)
        self.description = runtime.device_description(self.handle).decode()


class Program:
    """An artifact, compiled for a device, at one choice of its dims."""

    def __init__(self, device, path, dims):
        self.runtime = runtime = device.runtime
        self.program, self.executable = c_void_p(), c_void_p()
        runtime.program_load_file(str(path).encode(), byref(self.program))
        names = [runtime.program_dim_name(self.program, i).decode()
                 for i in range(runtime.program_num_dims(self.program))]
        self.dims = (c_int64 * len(names))(*(dims[name] for name in names))
        self.num_arguments = runtime.program_num_arguments(self.program)
        self.num_results = runtime.program_num_results(self.program)
        count = self.num_arguments + self.num_results
        self.names = [runtime.program_tensor_name(self.program, i).decode()
                      for i in range(count)]
        self.shapes = [self._shape(i) for i in range(count)]
        self.dtypes = [runtime.program_tensor_dtype(self.program, i)
                       for i in range(count)]
        size = c_uint64()
        runtime.workspace_size(self.program, self.dims, len(self.dims),
                               byref(size))
        self.workspace_bytes = size.value
        runtime.prepare(device.handle, self.program, byref(self.executable))
        self.num_compiled = runtime.executable_num_compiled(self.executable)

    def _shape(self, tensor):
        rank = self.runtime.program_tensor_rank(self.program, tensor)
        shape = (c_int64 * rank)()
        self.runtime.program_tensor_shape(self.program, tensor, self.dims,
                                          len(self.dims), shape)
        return tuple(shape)

    def bind(self, addresses, workspace):
        """A function of a stream that launches one call on this memory:
        addresses of arguments and results, and of the workspace."""
        pointers = (c_void_p * len(addresses))(*addresses)

        def launch(stream):
            self.runtime.launch(
                self.executable, pointers, len(pointers), self.dims,
                len(self.dims), None, workspace, self.workspace_bytes, stream)
        return launch

    def close(self):
        self.runtime.executable_destroy(self.executable)
        self.runtime.program_destroy(self.program)
        self.executable = self.program = c_void_p()
