#include "validation/endurance/holdings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace ithaca::validation {
namespace {

constexpr std::int64_t mib = 1 << 20;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

std::int64_t entries_of(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

std::int64_t lines_of(const char* file) {
  std::ifstream text(file);
  std::int64_t lines = 0;
  for (std::string line; std::getline(text, line);) ++lines;
  return lines;
}

std::int64_t resident_now() {
  std::ifstream text("/proc/self/statm");
  std::int64_t size = 0, resident = 0;
  text >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace

holdings holdings::now() {
  return {entries_of("/proc/self/fd"), entries_of("/proc/self/task"), lines_of("/proc/self/maps"),
          resident_now()};
}

holdings holdings::now(const device& on) {
  holdings all = now();
  all.device_free_bytes = static_cast<std::int64_t>(on.free_bytes());
  return all;
}

std::string to_string(const holdings& of) {
  std::string text =
      fmt::format("{} descriptors, {} threads, {} mappings, {:.1f} MiB resident", of.descriptors,
                  of.threads, of.mappings, static_cast<double>(of.resident_bytes) / mib);
  if (of.device_free_bytes) {
    text += fmt::format(", {} MiB of the device free", *of.device_free_bytes / mib);
  }
  return text;
}

std::string growth(const holdings& before, const holdings& after) {
  std::string text;
  const auto tell = [&](std::int64_t more, std::int64_t allowed, const std::string& of) {
    if (more <= allowed) return;
    text += fmt::format("{}{} {} more", text.empty() ? "" : ", ", more, of);
  };
  tell(after.descriptors - before.descriptors, 0, "descriptors");
  tell(after.threads - before.threads, 0, "threads");
  if (!sanitized) {
    tell(after.mappings - before.mappings, 4, "mappings");
    tell(after.resident_bytes - before.resident_bytes, mib, "resident bytes");
  }
  if (before.device_free_bytes && after.device_free_bytes) {
    tell(*before.device_free_bytes - *after.device_free_bytes, 0, "bytes of the device");
  }
  return text;
}

}  // namespace ithaca::validation
