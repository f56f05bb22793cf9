#include "bench/exchange_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "bench/arms/table.hpp"
#include "bench/campaign.hpp"
#include "bench/command_names.hpp"
#include "bench/device_choice.hpp"
#include "bench/interference/prepared_interference.hpp"
#include "bench/machine_description.hpp"
#include "bench/nccl_choice.hpp"
#include "bench/prepared_exchange.hpp"
#include "bench/revision.hpp"
#include "bench/selected_names.hpp"
#include "bench/shape_catalog.hpp"
#include "bench/sized_scenarios.hpp"
#include "bench/stage/prepared_stage.hpp"
#include "bench/stage/schedule.hpp"
#include "bench/stage/stage_entrants.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/console/output.hpp"
#include "reports/crossover_table.hpp"
#include "reports/interference_table.hpp"
#include "reports/stage_table.hpp"
#include "reports/summary_table.hpp"

namespace ithaca::bench {
namespace {

/// The chosen arms that run on this kind of device, with the reference and its second self. Arms
/// of another device that were named are kept, to be shown as skipped with the reason; out of
/// "all" they are left out.
std::vector<entrant> exchange_entrants(const exchange_options& options, device_kind kind,
                                       const arm& reference) {
  const std::vector<std::string> wanted =
      options.arms.empty() ? std::vector<std::string>{"all"} : options.arms;
  const bool all = std::ranges::find(wanted, "all") != wanted.end();
  std::vector<entrant> entrants;
  for (const std::string& name : select_arms(wanted)) {
    const arm* what = find_arm(name);
    if (what->runs_on(kind) || !all) entrants.push_back({name, what, options.modes});
  }
  const std::string name(reference.name);
  if (std::ranges::find(entrants, name, &entrant::name) == entrants.end()) {
    entrants.push_back({name, &reference, options.modes});
  }
  entrants.push_back({name + "-again", &reference, options.modes});
  return entrants;
}

/// What nobody named is bounded by what the device can do in a minute.
std::optional<size_sweep> sizes_of(const exchange_options& options, device_kind kind) {
  if (!options.usual_sizes || kind != device_kind::host) return options.sizes;
  size_sweep fewer = parse_size_sweep(host_crossover_sizes);
  fewer.row_bytes = options.sizes->row_bytes;
  return fewer;
}

std::vector<scenario> scenarios_for(const exchange_options& options,
                                    const std::vector<int>& degrees) {
  std::vector<scenario> all =
      combine(choose_shapes(options, shape_catalog::load(scenarios_file(options))), options.dtypes,
              degrees, options.way);
  if (options.sizes) {
    const std::vector<scenario> sized =
        scenarios_of(*options.sizes, options.dtypes, degrees, options.way);
    all.insert(all.end(), sized.begin(), sized.end());
  }
  for (scenario& each : all) each.rope = options.rope;
  return all;
}

/// What `read` says. A file that one rank can't read stops all of them.
template <class Read>
auto agreed(group& world, Read read) {
  decltype(read()) result;
  std::string refusal;
  try {
    result = read();
  } catch (const invalid_use& refused) {
    refusal = refused.what();
  }
  require_valid(world, refusal);
  return result;
}

const arm& reference_of(const exchange_options& options, device_kind kind) {
  const bool ablates = options.command == "ablation";
  const std::string name =
      options.reference.value_or(std::string(ablates ? "copy-engine" : default_reference(kind)));
  return *find_arm(select_arms(std::vector{name}).front());
}

bool is_same_place(const std::filesystem::path& one, const std::filesystem::path& other) {
  return std::filesystem::weakly_canonical(one) == std::filesystem::weakly_canonical(other);
}

/// Only rank 0 writes; whether it can is told to all.
std::optional<run_folder> open_folder(const exchange_options& options, group& world) {
  std::optional<run_folder> folder;
  std::string refusal;
  if (world.rank() == 0) {
    try {
      folder.emplace(options.out, options.command);
      for (const auto& own : {folder->report(), folder->page(), folder->trace()}) {
        if (options.benchmark_json && is_same_place(*options.benchmark_json, own)) {
          throw invalid_use(
              fmt::format("--gbench-json {}: the run writes that file itself: name "
                          "another",
                          options.benchmark_json->string()));
        }
      }
    } catch (const invalid_use& refused) {
      refusal = refused.what();
    }
  }
  refusal = world.all_gather_text(refusal).front();
  if (!refusal.empty()) throw invalid_use(refusal);
  return folder;
}

/// " of 2 hosts"; nothing where there is one. Collective.
std::string on_hosts(group& world) {
  const int hosts = std::ranges::max(world.hosts()) + 1;
  return hosts == 1 ? "" : fmt::format(" of {} hosts", hosts);
}

std::string describe_plan(const campaign_plan& plan, const campaign& made) {
  std::string text = "would run, each in " + std::to_string(plan.options.rounds) + " rounds of " +
                     std::to_string(plan.options.iterations) + " samples:\n";
  for (std::size_t index = 0; index < plan.scenarios.size(); ++index) {
    const scenario& each = plan.scenarios[index];
    text += "  " + to_string(each) + ":";
    if (const std::string& obstacle = made.obstacle(index); !obstacle.empty()) {
      text += " skipped: " + obstacle + "\n";
      continue;
    }
    for (const entrant& who : plan.entrants) {
      text += (who.schedule == no_schedule ? " " : "\n    ") + who.full_name();
    }
    text += fmt::format(" ({} MiB a rank)\n",
                        plan.sampled.required_bytes(each, plan.entrants, 0) >> 20);
  }
  return text;
}

reports::report begin_report(const campaign_plan& plan, const std::vector<std::string>& arguments,
                             reports::machine machine, const arm& reference, int ranks) {
  reports::report report;
  report.run.command = plan.options.command;
  report.run.arguments = arguments;
  report.run.seed = plan.options.seed;
  report.run.git_revision = git_revision;
  report.run.started_at = reports::utc_text(std::chrono::system_clock::now());
  report.run.ranks = ranks;
  report.run.reference_arm = std::string(reference.name);
  report.run.noise_floor_arm = std::string(reference.name) + "-again";
  report.run.note = reports::note_on_times(machine.device);
  report.machine = std::move(machine);
  return report;
}

/// What a reader of simulated cells must know, beside that they are.
std::string note_on_simulation(const device& on, const exchange_setting& setting) {
  return fmt::format(
      "{} Fabric {}. {}", *reports::note_on_times(reports::simulated_device), *setting.fabric,
      on.moves_bytes()
          ? "Bytes were moved and checked, and the order of all accesses."
          : "Bytes were not moved, so none were checked; the order of all accesses was.");
}

void print_results(const reports::report& result, const run_folder& folder) {
  const std::string& command = result.run.command;
  fmt::print("{}\n", command == "interference" ? reports::interference_table(result)
                     : is_of_stages(command)   ? reports::stage_table(result)
                                               : reports::summary_table(result));
  if (command == "crossover") fmt::print("{}\n", reports::crossover_table(result));
  for (const auto& [what, file] :
       {std::pair("report", folder.report()), std::pair("page", folder.page()),
        std::pair("trace", folder.trace())}) {
    if (std::filesystem::exists(file)) fmt::print("{:<7} {}\n", what, file.string());
  }
}

/// Of a cell that was refuted, or not finished.
std::string why_no_number(const reports::cell& cell) {
  return fmt::format("{}: {}: {}", reports::to_string(cell.key), reports::to_string(cell.status),
                     cell.reason.value_or(""));
}

std::string listed_arms(bool ablations) {
  std::string text;
  for (const arm& each : arm_table()) {
    if (each.ablation == ablations) text += fmt::format("  {:<28} {}\n", each.name, each.summary);
  }
  return text;
}

}  // namespace

std::string list_choices(const exchange_options& options) {
  const shape_catalog catalog = shape_catalog::load(scenarios_file(options));
  select_arms(options.arms);
  if (options.reference) select_arms(std::vector{*options.reference});
  select_names("shape", options.shapes, catalog.names());
  std::string text = "arms:\n" + listed_arms(false);
  text += "ablations (not among all; by name, or ablations for each):\n" + listed_arms(true);
  text += "shapes:\n";
  for (const shape& each : catalog.shapes()) {
    text += fmt::format("  {:<28} {} tokens, {} heads ({} KV) x {}\n", each.name, each.tokens,
                        each.heads, each.kv_heads, each.head_dim);
  }
  text += "schedules (of stages):\n";
  for (const schedule& each : schedule_table()) {
    text += fmt::format("  {:<28} {}\n", each.name, each.summary);
  }
  return text + "dtypes:\n  bf16 fp16 fp32 fp8 (stages: bf16)\n";
}

int exchange_command(const exchange_options& asked, const std::vector<std::string>& arguments,
                     group& world, const exchange_setting& setting) {
  world.set_timeout(asked.timeout);
  const chosen_nccl nccl = choose_nccl(asked.nccl, world);
  const chosen_device chosen = setting.open_device(world);
  const device_kind kind = chosen.opened->kind();
  exchange_options options = asked;
  options.sizes = sizes_of(asked, kind);
  const bool of_stages = is_of_stages(options.command);
  campaign_plan plan;
  plan.options = options;
  const bool interferes = options.command == "interference";
  plan.sampled = interferes ? interferences : of_stages ? stages : exchanges;
  if (of_stages && !interferes) plan.reference_schedule = reference_schedule(options);
  plan.nccl_file = nccl.file;
  plan.scenarios =
      agreed(world, [&] { return scenarios_for(options, degrees_for(options, world.size())); });
  const arm& reference = reference_of(options, kind);
  plan.entrants = agreed(world, [&] {
    if (interferes) return interference_entrants(options, kind, reference);
    return of_stages ? stage_entrants(options, kind, reference)
                     : exchange_entrants(options, kind, reference);
  });
  plan.watch_order = setting.watch_order;
  if (options.dry_run) {
    const campaign made(plan, world, *chosen.opened, setting.split, {});
    if (world.rank() == 0) fmt::print("{}", describe_plan(plan, made));
    return console::good;
  }

  const std::string hosts = on_hosts(world);
  if (world.rank() == 0 && !options.quiet) {
    fmt::print("ithaca-bench {}: {} ranks{} on the {} device ({}); {} scenario{}, {} arms{}{}\n",
               options.command, world.size(), hosts, to_string(kind), chosen.opened->description(),
               plan.scenarios.size(), plan.scenarios.size() == 1 ? "" : "s", plan.entrants.size(),
               nccl.file.empty() ? "" : "; NCCL ", nccl.version);
    std::fflush(stdout);
  }
  reports::machine machine = describe_machine(world, chosen);
  machine.mpi_library = setting.mpi_version;
  machine.fabric = setting.fabric;
  reports::report report =
      begin_report(plan, arguments, std::move(machine), reference, world.size());
  if (kind == device_kind::sim) report.run.note = note_on_simulation(*chosen.opened, setting);
  campaign runs(std::move(plan), world, *chosen.opened, setting.split, std::move(report));
  // Not before it is known that there is something to write.
  const std::optional<run_folder> folder = open_folder(options, world);
  const reports::report& result = runs.run(folder);
  if (folder && !options.quiet) print_results(result, *folder);
  if (!runs.write_failure().empty()) {
    console::complain("ithaca-bench: " + runs.write_failure());
    return console::bad_use;
  }
  const bool all_skipped = std::ranges::all_of(result.cells, [](const reports::cell& cell) {
    return cell.status == reports::cell_status::skipped;
  });
  if (all_skipped) {
    if (folder) console::complain("ithaca-bench: nothing could be measured: the report says why");
    return console::bad_use;
  }
  bool all_right = true;
  for (const reports::cell& cell : result.cells) {
    if (cell.status == reports::cell_status::measured ||
        cell.status == reports::cell_status::skipped) {
      continue;
    }
    all_right = false;
    // Otherwise the table has said so.
    if (folder && options.quiet) console::complain("ithaca-bench: " + why_no_number(cell));
  }
  return all_right ? console::good : console::check_failed;
}

}  // namespace ithaca::bench
