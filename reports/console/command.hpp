#pragma once

#include <CLI/CLI.hpp>
#include <string_view>

namespace ithaca::console {

/// One thing that a program of several commands does. Its options are declared, then typed; then it
/// runs.
class command {
 public:
  virtual ~command() = default;

  /// Name on the command line.
  virtual std::string_view name() const = 0;
  /// What it is, in one sentence.
  virtual std::string_view summary() const = 0;
  /// Declares options, and examples as the footer.
  virtual void declare(CLI::App& app) = 0;
  /// Does it and returns the exit code. Throws `std::invalid_argument` for what a person typed or
  /// for files that can't be used, `std::runtime_error` for a file that can't be written, both with
  /// a sentence.
  virtual int run() = 0;
};

}  // namespace ithaca::console
