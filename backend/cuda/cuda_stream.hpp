#pragma once

#include <memory>
#include <string>

#include "backend/cuda/native_stream.hpp"
#include "backend/stream.hpp"

namespace ithaca {

class cuda_device;

/// A CUDA stream. Every call makes its GPU the calling thread's current device.
///
/// `write_value` keeps the driver's memory barrier: what was enqueued before is performed, for
/// the whole system, before the value shows. `wait_value` orders what follows behind the value;
/// that data written by a peer is visible then rests on observed behaviour, since current GPUs
/// can't flush remote writes on request (CU_STREAM_WAIT_VALUE_FLUSH).
class cuda_stream final : public stream {
 public:
  cuda_stream(std::string name, const observer_slot& observers, int ordinal, native_stream native);
  /// Enqueues on a stream that stays its caller's, e.g. a framework's. It must belong to `on`,
  /// and outlive this.
  static std::unique_ptr<cuda_stream> from_native(const cuda_device& on, std::string name,
                                                  cudaStream_t native);

  void record(event& at) override;
  void wait(const event& at) override;
  std::uint64_t capture_id() const override;
  void begin_capture() override;
  std::unique_ptr<graph> end_capture() override;
  void replay(const graph& captured) override;
  bool idle() override;

 protected:
  void enqueue_copy(const copy_2d& op, const operation& record) override;
  void enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                           const operation& record) override;
  void enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                          const operation& record) override;
  void enqueue_kernel(const kernel_call& call, const operation& record) override;

 private:
  int ordinal_;
  native_stream native_;
};

}  // namespace ithaca
