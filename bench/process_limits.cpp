#include "bench/process_limits.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ithaca::bench {
namespace {

namespace fs = std::filesystem;

/// Version 1 writes "unlimited" as the largest number of whole pages.
constexpr std::uint64_t unlimited = std::uint64_t{1} << 62;

/// The number in a file; empty if there is no file, or a word such as "max" in it.
template <class Number>
std::optional<Number> read_number(const fs::path& file) {
  Number number = 0;
  if (!(std::ifstream(file) >> number)) return std::nullopt;
  return number;
}

template <class Number>
void tighten(std::optional<Number>& limit, std::optional<Number> other) {
  if (other && (!limit || *other < *limit)) limit = other;
}

std::optional<std::uint64_t> memory_limit(const fs::path& file) {
  const auto bytes = read_number<std::uint64_t>(file);
  return bytes && *bytes < unlimited ? bytes : std::nullopt;
}

/// "<quota> <period>" in microseconds, or "max <period>".
std::optional<double> cpu_limit_v2(const fs::path& file) {
  double quota = 0, period = 0;
  if (!(std::ifstream(file) >> quota >> period) || period <= 0) return std::nullopt;
  return quota / period;
}

std::optional<double> cpu_limit_v1(const fs::path& folder) {
  const auto quota = read_number<double>(folder / "cpu.cfs_quota_us");
  const auto period = read_number<double>(folder / "cpu.cfs_period_us");
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

/// A process's group in one hierarchy: a line of /proc/self/cgroup, "4:memory:/a/b". Version 2 has
/// no controllers: "0::/a/b".
struct membership {
  std::string controllers;
  fs::path group;  ///< relative
};

std::vector<membership> memberships(const fs::path& root) {
  std::vector<membership> all;
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    all.push_back({line.substr(first + 1, second - first - 1),
                   fs::path(line.substr(second + 1)).relative_path()});
  }
  return all;
}

/// The group's folder and those above it, up to the hierarchy's. A container may see its own group
/// as the top, under a path that exists outside only: such folders are absent.
std::vector<fs::path> folders(const fs::path& hierarchy, fs::path group) {
  std::vector<fs::path> all;
  for (; !group.empty(); group = group.parent_path()) all.push_back(hierarchy / group);
  all.push_back(hierarchy);
  return all;
}

bool has_controller(const std::string& list, std::string_view name) {
  std::istringstream names(list);
  for (std::string each; std::getline(names, each, ',');) {
    if (each == name) return true;
  }
  return false;
}

std::optional<std::uint64_t> resource_limit(decltype(RLIMIT_NOFILE) of) {
  rlimit limit = {};
  if (getrlimit(of, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

std::optional<std::uint64_t> size_of_file_system(const char* at) {
  struct statvfs size = {};
  if (statvfs(at, &size) != 0) return std::nullopt;
  return std::uint64_t{size.f_blocks} * size.f_frsize;
}

}  // namespace

reports::process_limits read_group_limits(const fs::path& root) {
  reports::process_limits limits;
  const fs::path mounted = root / "sys/fs/cgroup";
  for (const membership& each : memberships(root)) {
    if (each.controllers.empty()) {
      for (const fs::path& at : folders(mounted, each.group)) {
        tighten(limits.memory_bytes, memory_limit(at / "memory.max"));
        tighten(limits.cpus, cpu_limit_v2(at / "cpu.max"));
      }
    }
    if (has_controller(each.controllers, "memory")) {
      for (const fs::path& at : folders(mounted / "memory", each.group)) {
        tighten(limits.memory_bytes, memory_limit(at / "memory.limit_in_bytes"));
      }
    }
    if (has_controller(each.controllers, "cpu")) {
      for (const fs::path& at : folders(mounted / "cpu", each.group)) {
        tighten(limits.cpus, cpu_limit_v1(at));
      }
    }
  }
  return limits;
}

reports::process_limits read_process_limits() {
  reports::process_limits limits = read_group_limits("/");
  limits.shared_memory_bytes = size_of_file_system("/dev/shm");
  limits.locked_memory_bytes = resource_limit(RLIMIT_MEMLOCK);
  limits.open_files = resource_limit(RLIMIT_NOFILE);
  return limits;
}

}  // namespace ithaca::bench
