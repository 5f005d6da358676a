//===- CudaTypesTest.cpp - our declarations against cuda.h ----------------===//
//
// Compiled where there is a cuda.h; no driver is needed.
//
//===----------------------------------------------------------------------===//

#include "CudaTypes.h"

#include "gtest/gtest.h"

#include <cuda.h>

using namespace fuse::rt;

#define SAME_FIELD(ours, theirs)                                               \
  static_assert(offsetof(cuda::LaunchConfig, ours) ==                          \
                offsetof(CUlaunchConfig, theirs))

static_assert(sizeof(cuda::LaunchConfig) == sizeof(CUlaunchConfig));
SAME_FIELD(gridX, gridDimX);
SAME_FIELD(blockX, blockDimX);
SAME_FIELD(sharedBytes, sharedMemBytes);
SAME_FIELD(stream, hStream);
SAME_FIELD(attributes, attrs);
SAME_FIELD(numAttributes, numAttrs);
static_assert(sizeof(cuda::LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(cuda::LaunchAttribute, value) ==
              offsetof(CUlaunchAttribute, value));
static_assert(sizeof(cuda::DevicePtr) == sizeof(CUdeviceptr));
static_assert(sizeof(cuda::Device) == sizeof(CUdevice));

TEST(CudaTypes, NumbersAreThoseOfTheDriver) {
  EXPECT_EQ(cuda::Success, int(CUDA_SUCCESS));
  EXPECT_EQ(cuda::ErrorOutOfMemory, int(CUDA_ERROR_OUT_OF_MEMORY));
  EXPECT_EQ(cuda::ErrorNoDevice, int(CUDA_ERROR_NO_DEVICE));
  EXPECT_EQ(cuda::MaxThreadsPerBlock,
            int(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  EXPECT_EQ(cuda::MultiprocessorCount,
            int(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  EXPECT_EQ(cuda::L2CacheSize, int(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  EXPECT_EQ(cuda::ComputeCapabilityMajor,
            int(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  EXPECT_EQ(cuda::ComputeCapabilityMinor,
            int(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  EXPECT_EQ(cuda::MaxSharedMemoryPerBlockOptin,
            int(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  EXPECT_EQ(cuda::FunctionMaxThreadsPerBlock,
            int(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  EXPECT_EQ(cuda::FunctionNumRegs, int(CU_FUNC_ATTRIBUTE_NUM_REGS));
  EXPECT_EQ(cuda::FunctionMaxDynamicSharedSizeBytes,
            int(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
  EXPECT_EQ(cuda::kStreamNonBlocking, unsigned(CU_STREAM_NON_BLOCKING));
  EXPECT_EQ(cuda::kCaptureThreadLocal,
            int(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_EQ(cuda::kProgrammaticStreamSerialization,
            int(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION));
}
