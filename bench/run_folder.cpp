#include "bench/run_folder.hpp"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <system_error>

#include "backend/errors.hpp"

namespace ithaca::bench {
namespace {

namespace fs = std::filesystem;

std::string utc_stamp() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32] = {};
  std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
  return text;
}

/// Makes a folder that no other run has, also where two start in the same second.
fs::path make_fresh(const fs::path& base, std::error_code& error) {
  fs::path path = base;
  fs::create_directories(base.parent_path(), error);
  for (int copy = 2; !error && !fs::create_directory(path, error); ++copy) {
    path = base.string() + "-" + std::to_string(copy);
  }
  return path;
}

/// Points out/latest at the run; a link that can't be made is no reason to lose one.
void point_latest_at(const fs::path& run) {
  std::error_code ignored;
  const fs::path link = run.parent_path() / "latest";
  const fs::path fresh_link = run.parent_path() / (".latest-" + run.filename().string());
  fs::create_directory_symlink(run.filename(), fresh_link, ignored);
  fs::rename(fresh_link, link, ignored);
  if (ignored) fs::remove(fresh_link, ignored);
}

}  // namespace

run_folder::run_folder(const std::optional<fs::path>& chosen, const std::string& command) {
  std::error_code error;
  if (chosen) {
    path_ = *chosen;
    fs::create_directories(path_, error);
  } else {
    path_ = make_fresh(fs::path("out") / (utc_stamp() + "-" + command), error);
  }
  if (error || access(path_.c_str(), W_OK) != 0) {
    throw invalid_use("the run's folder " + path_.string() + " can't be written (" +
                      (error ? error.message() : "no permission") + "): choose another with --out");
  }
  // Of an earlier run into the same folder; the report is replaced at once.
  fs::remove(trace(), error);
  fs::remove(page(), error);
  if (!chosen) point_latest_at(path_);
}

}  // namespace ithaca::bench
