#pragma once

#include <functional>
#include <string>

#include "backend/group.hpp"

namespace ithaca {

/// Something that takes a while, for as long as this lives: a rank that gives up in it says so.
class step {
 public:
  /// `describe` is called when that happens, and must not wait.
  step(const group& in, std::function<std::string()> describe);
  step(const step&) = delete;
  step& operator=(const step&) = delete;
  ~step();

 private:
  std::shared_ptr<watch> told_;
  std::function<std::string()> describe_;
};

/// A call that nothing ends when a peer is gone, e.g. into a library; it has the group's deadline.
class blocking_call {
 public:
  blocking_call(const group& in, const std::string& name);
  blocking_call(const blocking_call&) = delete;
  blocking_call& operator=(const blocking_call&) = delete;
  ~blocking_call();

 private:
  std::shared_ptr<watch> told_;
};

}  // namespace ithaca
