#include "validation/check_lines.hpp"

#include <fmt/format.h>

#include <utility>

namespace ithaca::validation {
namespace {

const char* word(outcome result) {
  switch (result) {
    case outcome::ok:
      return "ok  ";
    case outcome::skipped:
      return "skip";
    case outcome::failed:
      return "FAIL";
  }
  return "";
}

}  // namespace

check_lines::check_lines(std::function<void(const std::string&)> print)
    : print_(std::move(print)) {}

void check_lines::add(outcome result, std::string_view arm, std::string_view check,
                      std::string_view detail) {
  ++count_[result];
  const std::string line = fmt::format("{} {}{}{}{}{}", word(result), arm, check.empty() ? "" : " ",
                                       check, detail.empty() ? "" : ": ", detail);
  differ_ |= result != outcome::skipped || (!held_.empty() && detail != reason_);
  held_.push_back(line);
  arm_ = arm;
  reason_ = detail;
  if (!differ_) return;
  for (const std::string& each : std::exchange(held_, {})) print_(each);
}

void check_lines::end_arm() {
  if (held_.size() == 1) print_(held_.front());
  if (held_.size() > 1) {
    print_(fmt::format("skip {}: {} ({} checks)", arm_, reason_, held_.size()));
  }
  held_.clear();
  differ_ = false;
}

std::size_t check_lines::count(outcome result) const {
  const auto found = count_.find(result);
  return found == count_.end() ? 0 : found->second;
}

}  // namespace ithaca::validation
