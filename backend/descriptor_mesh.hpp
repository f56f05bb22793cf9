#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "backend/unique_fd.hpp"

namespace ithaca {

/// A local socket between every two ranks of one host, over which descriptors travel
/// (SCM_RIGHTS). The sockets have abstract names: nothing is left in any file system. They stay
/// open as long as the mesh lives.
class descriptor_mesh {
 public:
  using text_gatherer = std::function<std::vector<std::string>(const std::string&)>;

  /// Collective. `gather` hands every rank's text to all. Throws `exchange_broken` if a rank
  /// can't be reached within `timeout` (it is on another host, or gone).
  descriptor_mesh(int rank, int size, const text_gatherer& gather,
                  std::chrono::milliseconds timeout);

  /// Collective: everyone's descriptor, by rank; the own entry is empty.
  std::vector<unique_fd> all_gather(const unique_fd& mine, std::chrono::milliseconds timeout);

 private:
  int rank_;
  std::vector<unique_fd> sockets_;  // by rank; the own entry is empty
};

}  // namespace ithaca
