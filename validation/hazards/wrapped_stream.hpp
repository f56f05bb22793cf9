#pragma once

#include <memory>
#include <string>
#include <utility>

#include "backend/stream.hpp"

namespace ithaca::validation {

/// Hands everything to another stream; what derives from it changes a part.
class wrapped_stream : public stream {
 public:
  wrapped_stream(std::string name, const observer_slot& observers, std::shared_ptr<stream> inner)
      : stream(std::move(name), observers), inner_(std::move(inner)) {}

  void record(event& at) override { inner_->record(at); }
  void wait(const event& at) override { inner_->wait(at); }
  bool idle() override { return inner_->idle(); }
  std::uint64_t capture_id() const override { return inner_->capture_id(); }
  void begin_capture() override { inner_->begin_capture(); }
  std::unique_ptr<graph> end_capture() override { return inner_->end_capture(); }
  void replay(const graph& captured) override { inner_->replay(captured); }

 protected:
  bool wait_until_idle(std::chrono::steady_clock::time_point deadline, watch* looks_at) override {
    return inner_->synchronize(deadline, looks_at);
  }
  bool always_described() const override { return true; }
  void enqueue_copy(const copy_2d& op, const operation& record) override {
    inner_->copy(op, label_of(record));
  }
  void enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                           const operation& record) override {
    inner_->write_value(address, value, label_of(record));
  }
  void enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                          const operation& record) override {
    inner_->wait_value(address, value, label_of(record));
  }
  void enqueue_kernel(const kernel_call& call, const operation& record) override {
    inner_->launch(call, label_of(record));
  }

  static operation_label label_of(const operation& record) {
    return {record.tag, record.peer, record.exchange};
  }
  stream& inner() { return *inner_; }

 private:
  std::shared_ptr<stream> inner_;
};

}  // namespace ithaca::validation
