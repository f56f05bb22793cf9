#include "bench/typed_options.hpp"

#include <fmt/format.h>

#include "bench/arm.hpp"
#include "bench/command_names.hpp"
#include "bench/fabric_file.hpp"
#include "bench/options.hpp"

namespace ithaca::bench {
namespace {

std::string examples(const std::string& command) {
  const std::string run = "ithaca-bench " + command;
  std::string text = "Examples:\n  mpirun -np 4 " + run + "\n";
  if (command == crossover_command.name) {
    text += fmt::format(
        "  mpirun -np 2 {0} --bytes 64K:4M:2 --arms push-exchange,copy-engine\n"
        "  mpirun -np 2 {0} --row-bytes 1024 --dtypes bf16,fp8\n",
        run);
  } else if (command == stage_command.name) {
    text += fmt::format(
        "  mpirun -np 2 {0} --schedules sequential,v-first,chunked:pieces=6:own=produced\n"
        "  mpirun -np 2 {0} --shapes wan2.1-14b-720p --tuned out/latest/report.json\n",
        run);
  } else if (command == ablation_command.name) {
    text += fmt::format(
        "  mpirun -np 2 {0} --shapes wan2.1-14b-720p --schedules chunked:own=produced,chunked\n",
        run);
  } else if (command == tune_command.name) {
    text +=
        fmt::format("  mpirun -np 2 {0} --shapes wan2.1-14b-720p --arms copy-engine,nccl\n", run);
  } else {
    text += fmt::format(
        "  mpirun -np 2 {0} --shapes wan2.1-14b-720p --arms copy-engine,nccl\n"
        "  mpirun -np 2 {0} --shape 1,18944,28,128 --dtypes bf16,fp8\n",
        run);
  }
  return text + "\nExit codes: 0 good, 1 a check failed, 2 bad use, 3 the exchange broke.";
}

}  // namespace

void declare(CLI::App& command, typed_options& typed) {
  const exchange_options defaults;
  const bool of_sizes = command.get_name() == crossover_command.name;
  const std::string name = command.get_name();
  const bool tunes = name == tune_command.name;
  const bool of_stages = is_of_stages(name);
  // One value for each flag: a list takes commas, or the flag again, but never the words behind it.
  const auto values = [&](const char* flag, std::vector<std::string>& to, const char* value,
                          const std::string& help) {
    return command.add_option(flag, to, help)
        ->type_name(value)
        ->allow_extra_args(false)
        ->take_all();
  };
  // The last one counts, so that a script's options can be overruled by appending.
  const auto value = [&](const char* flag, std::optional<std::string>& to, const char* type,
                         const std::string& help) {
    return command.add_option(flag, to, help)->type_name(type)->take_last();
  };
  values("--arms", typed.arms, "NAMES",
         of_stages ? "Arms to compare, or all (default: the usual ones of the device)"
                   : "Arms to compare, or all (default: all)");
  if (of_stages && name != interference_command.name) {
    values("--schedules", typed.schedules, "NAMES",
           tunes
               ? "Schedules to try, with settings behind colons (default: all, with settings from "
                 "a grid)"
               : fmt::format("Schedules to compare, with settings behind colons (default: {})",
                             fmt::join(default_schedules, ",")));
    if (!tunes) {
      value(
          "--tuned", typed.tuned, "REPORT",
          "report.json of tune: compare each arm's best schedules of it, with the sequential one");
    }
  }
  if (of_stages) {
    value("--rope", typed.rope, "STYLE",
          "Pairs of channels that are rotated: neox or interleaved (default: neox)");
  }
  CLI::Option* const of_shapes[] = {
      values("--shapes", typed.shapes, "NAMES",
             fmt::format("Named shapes, or all (default: {}; every shape of a file given by "
                         "--scenarios; none beside --shape or --bytes)",
                         fmt::join(default_shapes, ","))),
      values("--shape", typed.own_shapes, "B,S,H,D",
             "One more shape: batch, tokens of all ranks, heads, head size; may be repeated"),
      value("--scenarios", typed.scenarios, "FILE", "File of named shapes")};
  if (of_sizes) {
    for (CLI::Option* each : of_shapes) each->group(hidden_options);
  }
  CLI::Option* const of_exchanges[] = {
      value("--bytes", typed.sizes, "LEAST:MOST:FACTOR",
            of_sizes
                ? fmt::format(
                      "Bytes that a rank sends to each peer (default: {}; on the host device {})",
                      crossover_sizes, host_crossover_sizes)
                : "Sizes beside the shapes that are named, or instead of the default ones: bytes "
                  "that a rank sends to each peer, e.g. 64K:256M:4"),
      value("--row-bytes", typed.row_bytes, "N",
            fmt::format("{} of a token's heads that go to one peer (default: {})",
                        of_sizes ? "Bytes" : "With --bytes: bytes", size_sweep{}.row_bytes)),
      value("--mode", typed.mode, "MODE",
            fmt::format("isolated, pipelined or both (default: {})",
                        of_sizes ? "isolated" : "both"))};
  if (of_stages) {
    for (CLI::Option* each : of_exchanges) each->group(hidden_options);
  }
  values("--dtypes", typed.dtypes, "NAMES", "bf16, fp16, fp32, fp8 (default: bf16)");
  values("--degrees", typed.degrees, "NUMBERS",
         "Ranks that exchange with each other (default: all ranks)");
  value("--rounds", typed.rounds, "N",
        fmt::format("Rounds; in each, every cell is measured once (default: {})", defaults.rounds));
  value("--iterations", typed.iterations, "N",
        fmt::format("Samples of a cell in a round (default: {})", defaults.iterations));
  value("--device", typed.device, "KIND",
        of_stages
            ? "auto, cuda or host (default: auto, cuda where every rank has a GPU of its own)"
            : "auto, cuda, host or sim (default: auto, cuda where every rank has a GPU of its "
              "own). sim simulates all ranks in one process, without mpirun, and says so at "
              "every number");
  CLI::Option* const of_simulations[] = {
      value(
          "--ranks", typed.ranks, "N",
          fmt::format("With --device sim: ranks to simulate, from 2 to {}", most_simulated_ranks)),
      value("--fabric", typed.fabric, "NAME",
            fmt::format("With --device sim: what joins the GPUs, {} or a file (default: {})",
                        fmt::join(fabric_names(), ", "), default_fabric)),
      value("--skew-us", typed.skew, "US",
            "With --device sim: time within which ranks arrive at random (default: the fabric's)"),
      command.add_flag("--move-bytes", typed.move_bytes,
                       "With --device sim: move and check the bytes, too; slow")};
  if (of_stages) {
    for (CLI::Option* each : of_simulations) each->group(hidden_options);
  }
  value("--push-ctas", typed.push_ctas, "N",
        fmt::format("Thread blocks of the push arms' kernels (default: {})", default_push_ctas));
  value(
      "--reference", typed.reference, "ARM",
      "Arm that speedups refer to (default: nccl, on the host device mpi, simulated copy-engine)");
  value("--out", typed.out, "DIR",
        "Folder for report.json, report.html and trace.json (default: out/<time>-<command>)");
  value("--gbench-json", typed.benchmark_json, "FILE",
        "Write the measured cells as Google Benchmark's JSON, too, for its compare.py");
  value(
      "--seed", typed.seed, "N",
      fmt::format("Seed of the order of cells and of the intervals (default: {})", defaults.seed));
  value("--timeout", typed.timeout, "SECONDS",
        fmt::format("Longest wait for a peer (default: {})", defaults.timeout.count() / 1000));
  value("--nccl", typed.nccl, "PATH",
        "NCCL to load, or the folder that holds libnccl.so.2 (default: the one found by name)");
  command.add_flag("--quiet", typed.quiet,
                   "Print nothing but what goes wrong: the report has it all");
  command.add_flag("--list", typed.list, "List arms and shapes, run nothing");
  command.add_flag("--dry-run", typed.dry_run, "Show what would be measured, run nothing");
  command.footer(examples(command.get_name()));
}

}  // namespace ithaca::bench
