#include "reports/merge/conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/machine_class.hpp"

namespace ithaca::reports {
namespace {

/// What may differ between launches: the order of arms, and where the report goes.
constexpr std::array free_options = {"--seed", "--out"};

std::vector<std::string> fixed_arguments(const std::vector<std::string>& all) {
  std::vector<std::string> fixed;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const auto is_free = [&](const std::string& option) { return all[at] == option; };
    const auto is_free_with_value = [&](const std::string& option) {
      return all[at].starts_with(option + "=");
    };
    if (std::ranges::any_of(free_options, is_free))
      ++at;  // its value
    else if (std::ranges::none_of(free_options, is_free_with_value))
      fixed.push_back(all[at]);
  }
  return fixed;
}

class comparison {
 public:
  comparison(const named_report& first, const named_report& other) : first_(first), other_(other) {}

  void require_same(const std::string& place, const std::string& expected,
                    const std::string& found) const {
    if (found == expected) return;
    refuse(fmt::format("{} is \"{}\", but \"{}\" in {}", place, found, expected, first_.name));
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument(
        fmt::format("{} can't be merged with {}: {}", other_.name, first_.name, why));
  }

 private:
  const named_report& first_;
  const named_report& other_;
};

void require_same_machine(const machine& first, const machine& other, const comparison& both) {
  const auto text = [](const std::optional<std::string>& of) { return of.value_or("none"); };
  const auto ranks = [](const machine& of) { return static_cast<int>(of.ranks.size()); };
  if (const auto why = difference(class_of(other, ranks(other)), class_of(first, ranks(first)))) {
    both.refuse("its machine " + *why);
  }
  both.require_same("machine.cpu_model", first.cpu_model, other.cpu_model);
  both.require_same("machine.driver", text(first.driver), text(other.driver));
}

void require_same_run(const run_record& first, const run_record& other, const comparison& both) {
  const auto text = [](const std::optional<std::string>& of) { return of.value_or("none"); };
  both.require_same("run.command", first.command, other.command);
  both.require_same("run.arguments",
                    fmt::format("{}", fmt::join(fixed_arguments(first.arguments), " ")),
                    fmt::format("{}", fmt::join(fixed_arguments(other.arguments), " ")));
  both.require_same("run.git_revision", first.git_revision, other.git_revision);
  both.require_same("run.ranks", std::to_string(first.ranks), std::to_string(other.ranks));
  both.require_same("run.reference_arm", text(first.reference_arm), text(other.reference_arm));
  both.require_same("run.noise_floor_arm", text(first.noise_floor_arm),
                    text(other.noise_floor_arm));
}

void require_one_launch(const named_report& of) {
  for (std::size_t at = 0; at < of.report.cells.size(); ++at) {
    const std::size_t launches = of.report.cells[at].samples.launches().size();
    if (launches <= 1) continue;
    throw std::invalid_argument(
        fmt::format("{}: cells[{}].samples_ns holds {} launches: give the reports that it was "
                    "merged from",
                    of.name, at, launches));
  }
}

}  // namespace

void require_launches_of_one_run(std::span<const named_report> launches) {
  if (launches.size() < 2) {
    throw std::invalid_argument("one report can't be merged: give those of at least two launches");
  }
  for (const named_report& each : launches) require_one_launch(each);
  for (std::size_t at = 1; at < launches.size(); ++at) {
    const comparison both(launches.front(), launches[at]);
    require_same_machine(launches.front().report.machine, launches[at].report.machine, both);
    require_same_run(launches.front().report.run, launches[at].report.run, both);
    for (std::size_t before = 0; before < at; ++before) {
      if (launches[before].report == launches[at].report) {
        throw std::invalid_argument(fmt::format("{} is the same launch as {}: give each once",
                                                launches[at].name, launches[before].name));
      }
    }
  }
}

}  // namespace ithaca::reports
