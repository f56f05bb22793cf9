#include "validation/commands/arm_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/arms/table.hpp"
#include "bench/option_values.hpp"

namespace ithaca::validation {

void arm_options::declare(CLI::App& app) {
  app.add_option("--arms", arms_text_, "Arms, by commas, or all");
  app.add_option("--nccl", nccl_text_,
                 "NCCL to load, or the folder that holds libnccl.so.2 (default: found by name)");
}

void arm_options::judge() {
  const std::vector<std::string> named = bench::split_names("--arms", {arms_text_});
  all_ = std::ranges::find(named, "all") != named.end();
  arms_ = bench::select_arms(named);
  if (nccl_text_) nccl_ = bench::not_empty("--nccl", *nccl_text_);
}

void arm_options::each(device_kind kind, check_lines& lines,
                       const std::function<void(const bench::arm&)>& visit) const {
  for (const std::string& name : arms_) {
    const bench::arm& what = *bench::find_arm(name);
    const bool runs = what.runs_on(kind);
    if (!runs && all_) continue;
    if (runs)
      visit(what);
    else
      lines.add(outcome::skipped, name, "",
                fmt::format("it does not run on the {} device", to_string(kind)));
    lines.end_arm();
  }
}

}  // namespace ithaca::validation
