#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ithaca::validation {

enum class outcome { ok, skipped, failed };

/// Tells how checks went, one line each, as soon as it is known. An arm all of whose checks are
/// skipped for one and the same reason has one line for all of them, at its end.
class check_lines {
 public:
  /// `print` takes a line without its end.
  explicit check_lines(std::function<void(const std::string&)> print);

  /// `check` may be empty: then the outcome is that of the whole arm. `detail`: empty, or why.
  void add(outcome result, std::string_view arm, std::string_view check, std::string_view detail);
  /// No more of the arm that was told of last.
  void end_arm();

  /// Checks of all arms so far, told in a line of their own or not.
  std::size_t count(outcome result) const;

 private:
  std::function<void(const std::string&)> print_;
  std::map<outcome, std::size_t> count_;
  // Of the arm at hand, as long as all of its checks are skipped for one reason.
  std::vector<std::string> held_;
  std::string arm_, reason_;
  bool differ_ = false;
};

}  // namespace ithaca::validation
