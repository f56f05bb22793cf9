#include "backend/host/host_identity.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

namespace ithaca {

std::string host_identity() {
  std::array<char, 256> name = {};
  gethostname(name.data(), name.size() - 1);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  std::error_code unknown;
  const auto network = std::filesystem::read_symlink("/proc/self/ns/net", unknown);
  return std::string("host-") + name.data() + "-" + boot + "-" + network.string();
}

}  // namespace ithaca
