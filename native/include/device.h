/*
 * The whole interface of libstrata_device: asynchronous reads and writes of files through io_uring or libaio.
 *
 * Every function returns a status (STRATA_OK or STRATA_E...) unless said otherwise and never throws, prints or formats.
 * Where the kernel refused, *error is the errno; it is 0 otherwise. A queue belongs to the thread that opened it: only
 * strata_queue_stop and strata_queue_close may be called by another one, and then no other call may be under way.
 *
 * strata_device_handshake comes first. After that nothing depends on global state.
 */
#ifndef STRATA_DEVICE_H
#define STRATA_DEVICE_H

#include <stdint.h>

#if defined(__cplusplus)
#define STRATA_NOEXCEPT noexcept
extern "C" {
#else
#define STRATA_NOEXCEPT
#endif

#if defined(__GNUC__)
#define STRATA_EXPORT __attribute__((visibility("default")))
#else
#define STRATA_EXPORT
#endif

/* Raised with every change of a function, a structure or the meaning of one. */
#define STRATA_ABI_VERSION 2

/* Statuses. */
enum {
  STRATA_OK = 0,
  STRATA_E_SYSTEM = 1,   /* the kernel refused: see *error */
  STRATA_E_VERSION = 2,  /* the caller speaks another version */
  STRATA_E_LAYOUT = 3,   /* the caller's structures have other sizes or offsets */
  STRATA_E_ARGUMENT = 4, /* an argument is outside its range */
  STRATA_E_FULL = 5,     /* as many requests are under way as the queue is deep */
};

/* Backends. */
enum {
  STRATA_BACKEND_IO_URING = 1,
  STRATA_BACKEND_LIBAIO = 2,
};

/* Flags of strata_file_open. */
enum {
  STRATA_FILE_CREATE = 1,   /* make the file if it does not exist */
  STRATA_FILE_BUFFERED = 2, /* go through the page cache, for file systems without O_DIRECT */
};

/* Flags of strata_queue_options: do without what newer kernels offer, as older ones have to. */
enum {
  STRATA_QUEUE_NO_DEFER = 1, /* io_uring: no SINGLE_ISSUER, no DEFER_TASKRUN */
  STRATA_QUEUE_NO_COOP = 2,  /* io_uring: no COOP_TASKRUN either */
  STRATA_QUEUE_NO_PEEK = 4,  /* libaio: take completions by system call, not from the ring in user memory */
};

/* Bounds. */
enum {
  STRATA_MAX_DEPTH = 4096,
  STRATA_MIN_SECTOR_BYTES = 512,
  STRATA_MAX_REGISTERED_BYTES = 1073741824, /* what io_uring takes as one piece */
};

/* The end of a request. */
typedef struct strata_completion {
  uint64_t token;    /* what the request was prepared with */
  int32_t result;    /* bytes transferred, fewer than asked for only at the end of the file; or minus the errno */
  uint32_t reserved; /* 0 */
} strata_completion;

/* What a directory's file system and disk can do. */
typedef struct strata_storage {
  uint32_t sector_bytes;   /* max(logical, physical, 512): what requests should be multiples of */
  uint32_t logical_bytes;  /* smallest unit the disk addresses; 0 when unknown */
  uint32_t physical_bytes; /* smallest unit it writes without reading first; 0 when unknown */
  uint32_t is_direct;      /* 1 when files can be opened with O_DIRECT */
} strata_storage;

typedef struct strata_queue_options {
  int32_t backend; /* STRATA_BACKEND_... */
  uint32_t depth;  /* requests prepared or in flight at a time, 1 to STRATA_MAX_DEPTH */
  uint32_t flags;  /* STRATA_QUEUE_... */
  uint32_t reserved;
} strata_queue_options;

/* What both sides must agree on. */
typedef struct strata_layout {
  uint32_t version; /* STRATA_ABI_VERSION */
  uint32_t layout_bytes;
  uint32_t completion_bytes;
  uint32_t completion_token_offset;
  uint32_t completion_result_offset;
  uint32_t storage_bytes;
  uint32_t queue_options_bytes;
  uint32_t reserved;
} strata_layout;

typedef struct strata_queue strata_queue;

/* Compares the caller's layout with the library's, which *library receives: STRATA_E_VERSION or STRATA_E_LAYOUT when
 * they differ. */
STRATA_EXPORT int32_t strata_device_handshake(const strata_layout *caller, strata_layout *library) STRATA_NOEXCEPT;

/* Finds out about an existing directory by making a nameless file in it. */
STRATA_EXPORT int32_t strata_storage_probe(const char *directory, strata_storage *storage,
                                           int32_t *error) STRATA_NOEXCEPT;

/* Opens a file for reading and writing, past the page cache unless flagged otherwise. A file smaller than reserve_bytes
 * is made that large, with its blocks allocated: later writes then neither extend it nor run out of space. Where the
 * file system cannot do that, reserve_bytes is ignored. When there is no room, a file that was made is removed. */
STRATA_EXPORT int32_t strata_file_open(const char *path, uint32_t flags, int64_t reserve_bytes, int32_t *fd,
                                       int32_t *error) STRATA_NOEXCEPT;

/* Closes it; the descriptor is gone whatever is returned. */
STRATA_EXPORT int32_t strata_file_close(int32_t fd, int32_t *error) STRATA_NOEXCEPT;

/* Opens a queue, to be used by this thread. Fails with the kernel's errno where the backend cannot run: ENOSYS (the
 * kernel has no such interface or is too old), EPERM or EACCES (forbidden by seccomp or sysctl), ENOMEM (locked
 * memory), EMFILE, EAGAIN (libaio: fs.aio-max-nr is used up). */
STRATA_EXPORT int32_t strata_queue_open(const strata_queue_options *options, strata_queue **queue,
                                        int32_t *error) STRATA_NOEXCEPT;

/* Names memory that many requests will lie in, once for a queue and before its first request: io_uring then keeps its
 * pages pinned instead of pinning them for each request; libaio gains nothing and says STRATA_OK. Where the kernel
 * refuses (ENOMEM: locked memory), requests work as before. The memory must stay until the queue is stopped. */
STRATA_EXPORT int32_t strata_queue_register(strata_queue *queue, void *memory, uint64_t bytes,
                                            int32_t *error) STRATA_NOEXCEPT;

/* Prepares a request; it begins with the next strata_queue_submit. Makes no system call. The buffer must stay until the
 * request is reaped or the queue closed. STRATA_E_FULL: nothing was prepared. */
STRATA_EXPORT int32_t strata_queue_read(strata_queue *queue, int32_t fd, uint64_t offset, void *buffer, uint32_t bytes,
                                        uint64_t token) STRATA_NOEXCEPT;
STRATA_EXPORT int32_t strata_queue_write(strata_queue *queue, int32_t fd, uint64_t offset, const void *buffer,
                                         uint32_t bytes, uint64_t token) STRATA_NOEXCEPT;

/* Starts what is prepared, in one system call. What the kernel refuses completes with the error. */
STRATA_EXPORT int32_t strata_queue_submit(strata_queue *queue) STRATA_NOEXCEPT;

/* Takes up to capacity finished requests; *reaped says how many. Waits until there are least of them or none is under
 * way, and not at all when least is 0: then it makes a system call only when something has ended that only the kernel
 * can hand over. STRATA_E_SYSTEM when the kernel does not let this thread wait. */
STRATA_EXPORT int32_t strata_queue_reap(strata_queue *queue, strata_completion *completions, uint32_t capacity,
                                        uint32_t least, uint32_t *reaped, int32_t *error) STRATA_NOEXCEPT;

/* Whether reaping would find anything, or, with STRATA_QUEUE_NO_PEEK, might: 1 or 0. Makes no system call. */
STRATA_EXPORT int32_t strata_queue_is_ready(const strata_queue *queue) STRATA_NOEXCEPT;

/* Lets the next completion make the queue's descriptor readable: 1. Or 0 when a request has finished already, to be
 * reaped first. The next reap disarms it. Makes no system call (but for STRATA_QUEUE_NO_PEEK). */
STRATA_EXPORT int32_t strata_queue_arm(strata_queue *queue) STRATA_NOEXCEPT;

/* The eventfd that completions are told by, for an edge-triggered epoll; the queue closes it. */
STRATA_EXPORT int32_t strata_queue_descriptor(const strata_queue *queue) STRATA_NOEXCEPT;

/* What the queue runs with: a mask of STRATA_QUEUE_... it does without. */
STRATA_EXPORT uint32_t strata_queue_flags(const strata_queue *queue) STRATA_NOEXCEPT;

/* Ends the requests of a queue: when it returns, the kernel touches no buffer any more. It waits for those in flight,
 * as long as the disk takes; their completions are lost. Then it makes the descriptor readable. After it only
 * strata_queue_close may be called. */
STRATA_EXPORT int32_t strata_queue_stop(strata_queue *queue) STRATA_NOEXCEPT;

/* Stops the queue if need be, closes its descriptor and frees it. */
STRATA_EXPORT int32_t strata_queue_close(strata_queue *queue) STRATA_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

#endif
