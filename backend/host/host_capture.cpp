#include "backend/host/host_capture.hpp"

#include <atomic>
#include <utility>

namespace ithaca {
namespace {

std::uint64_t next_capture_id() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

host_capture::host_capture() : id_(next_capture_id()) {}

std::vector<host_work> host_capture::end() {
  ended_ = true;
  return std::move(work_);
}

}  // namespace ithaca
