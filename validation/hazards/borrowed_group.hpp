#pragma once

#include <string>
#include <utility>

#include "backend/threads/thread_group.hpp"

namespace ithaca::validation {

/// Whether ranks that are threads use each other's pointers, or act as processes that can't. Then
/// they hand over handles, which work in one process too; descriptors do not travel between
/// threads.
enum class kinship { threads, processes };

/// The ranks of a thread group once more, as a group of its own that others may own, or on the
/// hosts that they are said to be on.
class borrowed_group final : public group {
 public:
  borrowed_group(thread_group& inner, kinship as, std::string host = "this one")
      : inner_(inner), as_(as), host_(std::move(host)) {}
  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  bool same_process(int peer) const override {
    return as_ == kinship::threads && inner_.same_process(peer);
  }

 protected:
  std::vector<std::vector<std::byte>> do_all_gather(std::span<const std::byte> mine) override {
    return inner_.all_gather(mine);
  }
  void do_barrier() override { inner_.barrier(); }
  std::vector<unique_fd> do_all_gather_descriptors(const unique_fd& mine) override {
    return inner_.all_gather_descriptors(mine);
  }
  std::string host_name() const override { return host_; }

 private:
  thread_group& inner_;
  kinship as_;
  std::string host_;
};

}  // namespace ithaca::validation
