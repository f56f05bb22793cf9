#pragma once

#include <memory>

#include "backend/descriptor_mesh.hpp"
#include "backend/watch.hpp"

namespace ithaca {

/// Sees peers on this host go: the kernel closes a process's sockets however it ends.
class peer_watch final : public watch {
 public:
  explicit peer_watch(std::shared_ptr<descriptor_mesh> peers) : peers_(std::move(peers)) {}
  std::string in_vain() override { return peers_->who_is_gone(); }
  void give_up(const std::string& /*error*/, const std::string& cause) override {
    peers_->give_up(cause);
  }

 private:
  std::shared_ptr<descriptor_mesh> peers_;
};

}  // namespace ithaca
