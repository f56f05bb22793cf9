#pragma once

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <thread>

#include "validation/unit/hang_limit.hpp"

namespace ithaca {

/// A value in memory that this process shares with those it forks.
template <class T>
class shared_value {
 public:
  shared_value()
      : at_(new (mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                      0)) T{}) {}
  shared_value(const shared_value&) = delete;
  shared_value& operator=(const shared_value&) = delete;
  ~shared_value() { munmap(at_, sizeof(T)); }
  T* operator->() const { return at_; }

 private:
  T* at_;
};

/// A forked process that runs `program` and ends with what it returns, 99 if it throws.
class forked {
 public:
  explicit forked(const std::function<int()>& program) : id_(fork()) {
    if (id_ != 0) return;
    int status = 99;
    try {
      status = program();
    } catch (...) {
    }
    _exit(status);
  }
  forked(const forked&) = delete;
  forked& operator=(const forked&) = delete;
  ~forked() {
    if (id_ <= 0) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }

  /// How it ended; -1 if it hangs.
  int exit_status() {
    const auto end = std::chrono::steady_clock::now() + hang_limit;
    int status = 0;
    while (waitpid(id_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > end) return -1;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// Returns once the process sleeps in the kernel; false if it never does.
  bool sleeps() const {
    const auto end = std::chrono::steady_clock::now() + hang_limit;
    while (std::chrono::steady_clock::now() < end) {
      std::ifstream stat("/proc/" + std::to_string(id_) + "/stat");
      std::string id, name, state;
      stat >> id >> name >> state;
      if (state == "S") return true;
      std::this_thread::yield();
    }
    return false;
  }

 private:
  pid_t id_;
};

}  // namespace ithaca
