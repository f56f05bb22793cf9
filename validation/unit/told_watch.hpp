#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "backend/watch.hpp"

namespace ithaca {

/// Says what it is told to, and keeps what it hears.
class told_watch final : public watch {
 public:
  std::string in_vain() override { return gone ? "rank 1 is gone" : ""; }
  void give_up(const std::string& error, const std::string& cause) override {
    errors.push_back(error);
    causes.push_back(cause);
  }
  void enter_call(const std::string& error, std::chrono::steady_clock::time_point) override {
    calls.push_back(error);
  }
  void leave_call() override { calls.push_back("left"); }

  std::atomic<bool> gone = false;
  std::vector<std::string> errors, causes, calls;
};

}  // namespace ithaca
