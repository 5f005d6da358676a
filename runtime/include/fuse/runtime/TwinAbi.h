//===- TwinAbi.h - between a kernel's library and the host twin -*- C++ -*-===//
//
// A C header, and part of the device header's text on the host: it includes
// nothing. A kernel's shared library holds emitted text and the host body of
// the primitives; it reaches the engine through the table below. It has no
// state.
//
// Every thread of a block is a fiber on a stack of FUSE_TWIN_STACK_BYTES,
// aligned to its size, whose last bytes hold the thread's FuseTwinThread. So a
// pointer into the current stack, masked, finds the thread: no thread-local
// variable, and one comparison tells a local variable from memory.

#ifndef FUSE_RUNTIME_TWINABI_H
#define FUSE_RUNTIME_TWINABI_H

#if !defined(__CUDACC__)

#ifdef __cplusplus
extern "C" {
#endif

/// Changes with anything in this file.
#define FUSE_TWIN_ABI_VERSION 1u

/// Bytes of a thread's stack, and its alignment. A power of two.
#define FUSE_TWIN_STACK_BYTES 131072ul

/// Kinds of a memory access that instrumentation observed.
enum FuseTwinAccess {
  FUSE_TWIN_READ = 0,
  FUSE_TWIN_WRITE = 1,
  /// Or-ed to these: the type has natural alignment, which is to be checked.
  FUSE_TWIN_ALIGNED = 2,
};

/// Kinds of a shuffle.
enum FuseTwinShuffle {
  FUSE_TWIN_SHUFFLE_INDEX,
  FUSE_TWIN_SHUFFLE_XOR,
  FUSE_TWIN_SHUFFLE_DOWN,
};

/// Element types of FuseTwinApi::mmaSync.
enum FuseTwinElement {
  FUSE_TWIN_F16,  ///< m16n8k16
  FUSE_TWIN_BF16, ///< m16n8k16
  FUSE_TWIN_TF32, ///< m16n8k8
};

/// Operations on a flag or counter of 4 or 8 bytes.
enum FuseTwinAtomic {
  FUSE_TWIN_ADD_RELAXED,
  FUSE_TWIN_ADD_ACQ_REL,
  FUSE_TWIN_LOAD_ACQUIRE,
  FUSE_TWIN_STORE_RELEASE,
};

/// The engine, as a kernel sees it. Functions are called on a thread's own
/// stack and may run other threads before they return. `line` is the source
/// line of the call, by which calls that a compiler duplicated are known as
/// one. Functions that find a fault from which a thread cannot go on do not
/// return.
struct FuseTwinApi {
  /// Before `bytes` bytes at `address` are accessed; `kind` is a
  /// FuseTwinAccess, `pc` the return address into the kernel.
  void (*access)(const void *address, unsigned long bytes, int kind,
                 const void *pc);

  /// An access by a vector of `bytes` bytes is about to be made to an address
  /// that is no multiple of that. Does not return.
  void (*misaligned)(const void *address, unsigned long bytes, int kind);

  /// Names the piece of `bytes` bytes at byte `offset` of shared memory.
  void (*declareShared)(long offset, long bytes, const char *name);

  void (*barrier)(int line);
  void (*namedBarrier)(int id, int threads, int line);
  void (*warpBarrier)(unsigned mask, int line);
  /// Of the low bits of `value`; `operand` is a lane, bits or a distance.
  unsigned long (*shuffle)(int kind, unsigned long value, int operand,
                           unsigned mask, int line);
  /// The lanes of the mask whose predicate is not 0.
  unsigned (*ballot)(int predicate, unsigned mask, int line);
  /// accumulator[4] += a[4] * b[2], fragments of one lane.
  void (*mmaSync)(int element, float *accumulator, const unsigned *a,
                  const unsigned *b, int line);

  void (*copyAsync)(void *shared, const void *global, int bytes,
                    int validBytes);
  void (*copyCommit)(void);
  void (*copyWait)(int pendingGroups);

  void (*waitForProducers)(void);
  void (*releaseDependents)(void);
  /// The old value, or the one loaded; `bytes` is 4 or 8.
  unsigned long (*atomic)(int operation, void *address, unsigned long value,
                          int bytes);

  float (*ex2Approx)(float x);
  float (*rsqrtApprox)(float x);
};

/// What a thread knows of itself. The table is copied to every thread, since
/// loads from anywhere but the stack are announced to the engine.
struct FuseTwinThread {
  struct FuseTwinApi api;
  long blockIndex;
  int threadIndex;
  int blockThreads;
  unsigned char *sharedArena; ///< 1024-aligned.
};

// Weak, since a library may have several texts with the header in front.

/// Exported by a kernel's library: FUSE_TWIN_ABI_VERSION as it was compiled.
extern const unsigned fuseTwinVersion
    __attribute__((weak, visibility("default")));

/// Exported by a kernel's library: 1 if its memory accesses are observed.
extern const int fuseTwinObserved __attribute__((weak, visibility("default")));

#ifdef __cplusplus
} // extern "C"
#endif

#endif // !defined(__CUDACC__)

#endif // FUSE_RUNTIME_TWINABI_H
