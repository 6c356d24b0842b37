// The exported functions: arguments are checked here, everything else is the queue's.
#include "device.h"

#include <cerrno>
#include <cstddef>
#include <new>

#include "queue.h"

struct strata_queue {
  strata::Queue *queue;
};

namespace {

constexpr strata_layout kLayout = {
    STRATA_ABI_VERSION,
    sizeof(strata_layout),
    sizeof(strata_completion),
    offsetof(strata_completion, token),
    offsetof(strata_completion, result),
    sizeof(strata_storage),
    sizeof(strata_queue_options),
    0,
};

constexpr uint32_t kQueueFlags = STRATA_QUEUE_NO_DEFER | STRATA_QUEUE_NO_COOP | STRATA_QUEUE_NO_PEEK;

bool is_same_layout(const strata_layout &a, const strata_layout &b) noexcept {
  return a.layout_bytes == b.layout_bytes && a.completion_bytes == b.completion_bytes &&
         a.completion_token_offset == b.completion_token_offset &&
         a.completion_result_offset == b.completion_result_offset && a.storage_bytes == b.storage_bytes &&
         a.queue_options_bytes == b.queue_options_bytes;
}

strata::Queue *make_queue(int32_t backend) noexcept {
  return backend == STRATA_BACKEND_IO_URING ? strata::make_uring_queue() : strata::make_aio_queue();
}

int32_t prepare(strata_queue *queue, const strata::Request &request) noexcept {
  return queue->queue->prepare(request) ? STRATA_OK : STRATA_E_FULL;
}

}  // namespace

extern "C" {

int32_t strata_device_handshake(const strata_layout *caller, strata_layout *library) noexcept {
  if (library != nullptr) {
    *library = kLayout;
  }
  if (caller == nullptr) {
    return STRATA_E_ARGUMENT;
  }
  if (caller->version != STRATA_ABI_VERSION) {
    return STRATA_E_VERSION;
  }
  return is_same_layout(*caller, kLayout) ? STRATA_OK : STRATA_E_LAYOUT;
}

int32_t strata_queue_open(const strata_queue_options *options, strata_queue **queue, int32_t *error) noexcept {
  *queue = nullptr;
  *error = 0;
  const bool is_known = options->backend == STRATA_BACKEND_IO_URING || options->backend == STRATA_BACKEND_LIBAIO;
  if (!is_known || options->depth == 0 || options->depth > STRATA_MAX_DEPTH || (options->flags & ~kQueueFlags) != 0) {
    return STRATA_E_ARGUMENT;
  }
  auto *handle = new (std::nothrow) strata_queue();
  strata::Queue *made = handle == nullptr ? nullptr : make_queue(options->backend);
  *error = made == nullptr ? ENOMEM : made->open(options->depth, options->flags);
  if (*error != 0) {
    delete made;
    delete handle;
    return STRATA_E_SYSTEM;
  }
  handle->queue = made;
  *queue = handle;
  return STRATA_OK;
}

int32_t strata_queue_register(strata_queue *queue, void *memory, uint64_t bytes, int32_t *error) noexcept {
  *error = 0;
  if (memory == nullptr || bytes == 0 || bytes > STRATA_MAX_REGISTERED_BYTES) {
    return STRATA_E_ARGUMENT;
  }
  *error = queue->queue->register_memory(static_cast<uint8_t *>(memory), bytes);
  return *error == 0 ? STRATA_OK : STRATA_E_SYSTEM;
}

int32_t strata_queue_read(strata_queue *queue, int32_t fd, uint64_t offset, void *buffer, uint32_t bytes,
                          uint64_t token) noexcept {
  return prepare(queue, {token, offset, static_cast<uint8_t *>(buffer), bytes, 0, fd, 0, 0, false});
}

int32_t strata_queue_write(strata_queue *queue, int32_t fd, uint64_t offset, const void *buffer, uint32_t bytes,
                           uint64_t token) noexcept {
  // The kernel only reads from it; its interfaces know no const.
  auto *source = static_cast<uint8_t *>(const_cast<void *>(buffer));
  return prepare(queue, {token, offset, source, bytes, 0, fd, 0, 0, true});
}

int32_t strata_queue_submit(strata_queue *queue) noexcept {
  queue->queue->submit();
  return STRATA_OK;
}

int32_t strata_queue_reap(strata_queue *queue, strata_completion *completions, uint32_t capacity, uint32_t least,
                          uint32_t *reaped, int32_t *error) noexcept {
  *error = queue->queue->reap(completions, capacity, least, reaped);
  return *error == 0 ? STRATA_OK : STRATA_E_SYSTEM;
}

int32_t strata_queue_is_ready(const strata_queue *queue) noexcept { return queue->queue->is_ready() ? 1 : 0; }

int32_t strata_queue_arm(strata_queue *queue) noexcept { return queue->queue->arm() ? 1 : 0; }

int32_t strata_queue_descriptor(const strata_queue *queue) noexcept { return queue->queue->descriptor(); }

uint32_t strata_queue_flags(const strata_queue *queue) noexcept { return queue->queue->flags(); }

int32_t strata_queue_stop(strata_queue *queue) noexcept {
  queue->queue->stop();
  return STRATA_OK;
}

int32_t strata_queue_close(strata_queue *queue) noexcept {
  queue->queue->stop();
  delete queue->queue;
  delete queue;
  return STRATA_OK;
}

}  // extern "C"
