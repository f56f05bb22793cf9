#pragma once

#include <CLI/CLI.hpp>
#include <string_view>

#include "backend/group.hpp"
#include "bench/ulysses_site.hpp"

namespace ithaca::validation {

/// One thing that ithaca-validate does. Its options are declared, then typed, then judged; one of
/// the `run`s follows, which returns the exit code.
class command {
 public:
  virtual ~command() = default;

  /// Name on the command line; empty: what is done when no command is named.
  virtual std::string_view name() const = 0;
  /// What it is, in one sentence.
  virtual std::string_view summary() const = 0;
  virtual void declare(CLI::App& app) = 0;
  /// Makes of what was typed what it stands for. Throws `invalid_use`.
  virtual void judge() = 0;

  /// Collective, under a launcher. Throws what exchangers throw.
  virtual int run(group& world);
  /// The same for a command that needs groups of some of the ranks; the others leave it as it is.
  virtual int run_split(group& world, const bench::group_splitter& /*split*/) { return run(world); }
  /// In this process alone. Throws `invalid_use`.
  virtual int run_alone();
};

}  // namespace ithaca::validation
