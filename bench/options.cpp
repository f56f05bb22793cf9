#include "bench/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <span>
#include <sstream>
#include <string_view>

#include "backend/errors.hpp"
#include "bench/arm.hpp"
#include "bench/option_values.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/console/nearest_name.hpp"

namespace ithaca::bench {
namespace {

constexpr int most_rounds = 1'000'000;

struct command_name {
  const char* name;
  const char* summary;
};

constexpr command_name scatter_command = {
    "scatter", "Compare arms on the exchange of Q, K and V, sequence to heads; run by mpirun"};
constexpr command_name gather_command = {
    "gather", "Compare arms on the exchange of the output, heads to sequence; run by mpirun"};
constexpr command_name crossover_command = {
    "crossover",
    "Compare arms over sizes, and say from which size on which is quickest; run by mpirun"};
constexpr command_name stage_command = {
    "stage", "Compare schedules of projection, norm and exchange, with each arm; run by mpirun"};
constexpr command_name tune_command = {
    "tune", "Search each arm's best schedule, whose report 'stage --tuned' takes; run by mpirun"};
constexpr command_name ablation_command = {
    "ablation", "Change one thing at a time of the copy engine's stage; run by mpirun"};
constexpr command_name interference_command = {
    "interference", "Measure what exchange and computation cost each other; run by mpirun"};
constexpr std::array all_commands = {scatter_command,     gather_command, crossover_command,
                                     stage_command,       tune_command,   ablation_command,
                                     interference_command};

/// The options as typed. CLI11 splits the line and writes the help; values are judged here, so
/// that every refusal says what to give instead.
struct typed_options {
  std::vector<std::string> arms, shapes, own_shapes, dtypes, degrees, schedules;
  std::optional<std::string> sizes, row_bytes, mode, rounds, iterations, device, out, seed, timeout,
      reference, scenarios, push_ctas, nccl, ranks, fabric, skew, rope, tuned, benchmark_json;
  bool move_bytes = false;
  bool usual_sizes = false;
  bool list = false;
  bool dry_run = false;
};

std::vector<exchange_mode> parse_modes(const std::string& text) {
  const std::string mode = one_of("--mode", text, {"isolated", "pipelined", "both"});
  if (mode == "isolated") return {exchange_mode::isolated};
  if (mode == "pipelined") return {exchange_mode::pipelined};
  return {exchange_mode::isolated, exchange_mode::pipelined};
}

std::vector<shape> parse_shapes(const std::vector<std::string>& texts) {
  std::vector<shape> shapes;
  for (const std::string& text : texts) {
    shape parsed = parse_shape(text);
    if (std::ranges::find(shapes, parsed) == shapes.end()) shapes.push_back(std::move(parsed));
  }
  return shapes;
}

simulation_choice judge_simulation(const typed_options& typed) {
  simulation_choice simulation;
  if (typed.ranks) {
    simulation.ranks = whole_number("--ranks", *typed.ranks, 2, most_simulated_ranks);
  } else if (!typed.list) {
    throw invalid_use(fmt::format(
        "--device sim simulates as many ranks as it is told to: give --ranks, from 2 to {}",
        most_simulated_ranks));
  }
  if (typed.fabric) simulation.fabric = not_empty("--fabric", *typed.fabric);
  if (typed.skew) {
    constexpr int most_us = 1'000'000;
    simulation.skew_ns = std::int64_t{1000} * whole_number("--skew-us", *typed.skew, 0, most_us);
  }
  simulation.move_bytes = typed.move_bytes;
  read_fabric(simulation.fabric);  // refused before anything is started
  return simulation;
}

/// Options of the simulated device mean nothing elsewhere.
void refuse_simulation(const typed_options& typed) {
  const std::pair<const char*, bool> given[] = {{"--ranks", typed.ranks.has_value()},
                                                {"--fabric", typed.fabric.has_value()},
                                                {"--skew-us", typed.skew.has_value()},
                                                {"--move-bytes", typed.move_bytes}};
  for (const auto& [flag, is_given] : given) {
    if (is_given) {
      throw invalid_use(fmt::format(
          "{} belongs to --device sim (ranks of real devices are processes that mpirun starts): "
          "give both, or leave it out",
          flag));
    }
  }
}

exchange_options judge(const typed_options& typed) {
  exchange_options options;
  if (!typed.arms.empty()) options.arms = split_names("--arms", typed.arms);
  options.shapes = split_names("--shapes", typed.shapes);
  options.own_shapes = parse_shapes(typed.own_shapes);
  if (!typed.dtypes.empty()) options.dtypes = parse_dtypes(split_names("--dtypes", typed.dtypes));
  for (const std::string& degree : split_names("--degrees", typed.degrees)) {
    const int ranks = whole_number("--degrees", degree, 2, 1024);
    if (std::ranges::find(options.degrees, ranks) == options.degrees.end()) {
      options.degrees.push_back(ranks);
    }
  }
  if (typed.row_bytes && !typed.sizes) {
    throw invalid_use("--row-bytes belongs to --bytes: give both, or leave it out");
  }
  if (typed.sizes) options.sizes = parse_size_sweep(*typed.sizes);
  options.usual_sizes = typed.usual_sizes;
  if (typed.row_bytes) {
    options.sizes->row_bytes =
        static_cast<std::size_t>(whole_number("--row-bytes", *typed.row_bytes, 1, 1 << 24));
  }
  if (!typed.schedules.empty()) options.schedules = split_names("--schedules", typed.schedules);
  if (typed.tuned) options.tuned = not_empty("--tuned", *typed.tuned);
  if (typed.rope) {
    options.rope = one_of("--rope", *typed.rope, {"neox", "interleaved"}) == "neox"
                       ? kernels::rope_style::neox
                       : kernels::rope_style::interleaved;
  }
  if (typed.mode) options.modes = parse_modes(*typed.mode);
  if (typed.rounds) options.rounds = whole_number("--rounds", *typed.rounds, 2, most_rounds);
  if (typed.iterations) {
    options.iterations = whole_number("--iterations", *typed.iterations, 1, most_rounds);
  }
  if (typed.device) {
    options.device =
        parse_device(*typed.device, {device_kind::cuda, device_kind::host, device_kind::sim});
  }
  if (options.device == device_kind::sim) {
    options.simulation = judge_simulation(typed);
  } else {
    refuse_simulation(typed);
  }
  if (typed.out) options.out = not_empty("--out", *typed.out);
  if (typed.benchmark_json) {
    options.benchmark_json = not_empty("--gbench-json", *typed.benchmark_json);
  }
  if (typed.seed) options.seed = any_count("--seed", *typed.seed);
  options.list = typed.list;
  options.dry_run = typed.dry_run;
  if (typed.timeout) options.timeout = seconds("--timeout", *typed.timeout);
  if (typed.push_ctas) options.push_ctas = whole_number("--push-ctas", *typed.push_ctas, 1, 1024);
  if (typed.reference) options.reference = not_empty("--reference", *typed.reference);
  if (options.reference == "all") {
    throw invalid_use("--reference 'all': give the one arm that speedups refer to");
  }
  if (typed.scenarios) options.scenarios = not_empty("--scenarios", *typed.scenarios);
  if (typed.nccl) options.nccl = not_empty("--nccl", *typed.nccl);
  return options;
}

/// Where help doesn't show an option: it is taken only to be refused in words.
constexpr const char* hidden = "";

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

/// All commands take the same options, but for the crossover's, which is one of sizes.
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
    for (CLI::Option* each : of_shapes) each->group(hidden);
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
    for (CLI::Option* each : of_exchanges) each->group(hidden);
  }
  values("--dtypes", typed.dtypes, "NAMES", "bf16, fp16, fp32, fp8 (default: bf16)");
  values("--degrees", typed.degrees, "NUMBERS",
         "Ranks that exchange with each other (default: all ranks)");
  value("--rounds", typed.rounds, "N",
        fmt::format("Rounds; in each, every cell is measured once (default: {})", defaults.rounds));
  value("--iterations", typed.iterations, "N",
        fmt::format("Samples of a cell in a round (default: {})", defaults.iterations));
  value("--device", typed.device, "KIND",
        "auto, cuda, host or sim (default: auto, cuda where every rank has a GPU of its own). sim "
        "simulates all ranks in one process, without mpirun, and says so at every number");
  value("--ranks", typed.ranks, "N",
        fmt::format("With --device sim: ranks to simulate, from 2 to {}", most_simulated_ranks));
  value("--fabric", typed.fabric, "NAME",
        fmt::format("With --device sim: what joins the GPUs, {} or a file (default: {})",
                    fmt::join(fabric_names(), ", "), default_fabric));
  value("--skew-us", typed.skew, "US",
        "With --device sim: time within which ranks arrive at random (default: the fabric's)");
  command.add_flag("--move-bytes", typed.move_bytes,
                   "With --device sim: move and check the bytes, too; slow");
  value("--push-ctas", typed.push_ctas, "N",
        fmt::format("Thread blocks of the push arms' kernels (default: {})", default_push_ctas));
  value(
      "--reference", typed.reference, "ARM",
      "Arm that speedups refer to (default: nccl, on the host device mpi, simulated copy-engine)");
  value("--out", typed.out, "DIR",
        "Folder for report.json and trace.json (default: out/<time>-<command>)");
  value("--gbench-json", typed.benchmark_json, "FILE",
        "Write the measured cells as Google Benchmark's JSON, too, for its compare.py");
  value(
      "--seed", typed.seed, "N",
      fmt::format("Seed of the order of cells and of the intervals (default: {})", defaults.seed));
  value("--timeout", typed.timeout, "SECONDS",
        fmt::format("Longest wait for a peer (default: {})", defaults.timeout.count() / 1000));
  value("--nccl", typed.nccl, "PATH",
        "NCCL to load, or the folder that holds libnccl.so.2 (default: the one found by name)");
  command.add_flag("--list", typed.list, "List arms and shapes, run nothing");
  command.add_flag("--dry-run", typed.dry_run, "Show what would be measured, run nothing");
  command.footer(examples(command.get_name()));
}

/// What the crossover command measures where nothing else is said: a crossover is one of sizes.
void prefer_sizes(typed_options& typed) {
  if (!typed.shapes.empty() || !typed.own_shapes.empty() || typed.scenarios) {
    throw invalid_use("crossover compares sizes: give --bytes, or use scatter for shapes");
  }
  typed.usual_sizes = !typed.sizes;
  if (!typed.sizes) typed.sizes = crossover_sizes;
  if (!typed.mode) typed.mode = "isolated";
}

/// What only bare exchanges have, and what only real devices do.
void refuse_exchange_options(const typed_options& typed) {
  if (typed.sizes || typed.row_bytes) {
    throw invalid_use("a stage has a shape, not a size: give --shapes or --shape");
  }
  if (typed.mode) {
    throw invalid_use(
        "a stage is always sampled whole, without computation and without exchange: "
        "leave out --mode");
  }
  if (typed.device == "sim") {
    throw invalid_use("no computation is simulated: run stages with --device host or cuda");
  }
}

/// Empty, or why Google Benchmark's own settings are refused.
std::string foreign_setting(int argc, const char* const* argv, const char* const* environment) {
  const auto explained = [](std::string_view what) {
    return fmt::format(
        "{} would set Google Benchmark, which here runs in several processes at once: each would "
        "write the output file, and random interleaving would differ between them and hang. Leave "
        "it out; use --out for the report and --seed for the order",
        what);
  };
  for (int at = 1; at < argc; ++at) {
    const std::string_view argument = argv[at];
    if (argument.starts_with("--benchmark_")) return explained(argument);
  }
  for (; *environment != nullptr; ++environment) {
    const std::string_view variable = *environment;
    if (variable.starts_with("V=")) {
      return "The environment variable V would set Google Benchmark's log level (its flag --v): "
             "every rank would log between the lines of the others. Leave it out: env -u V";
    }
    if (variable.starts_with("BENCHMARK_")) {
      return explained(
          fmt::format("The environment variable {}", variable.substr(0, variable.find('='))));
    }
  }
  return {};
}

/// The command among the words; null if there is none.
const char* typed_command(int argc, const char* const* argv) {
  const std::span<const char* const> words(argv + 1, static_cast<std::size_t>(argc - 1));
  for (const std::string_view word : words) {
    const auto* const found = std::ranges::find(all_commands, word, &command_name::name);
    if (found != all_commands.end()) return found->name;
  }
  return nullptr;
}

/// `command`: whose options would have been right; null if none was named.
early_exit refusal(const std::string& what, const char* command) {
  const char* stop = what.ends_with('?') ? "" : ".";
  const std::string shown = command
                                ? fmt::format("'ithaca-bench {} --help' shows the options", command)
                                : "'ithaca-bench --help' shows the commands";
  return {fmt::format("ithaca-bench: {}{} {}.", what, stop, shown), console::bad_use};
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() == hidden) continue;
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

/// Why words that no option took are refused: an unknown flag or command, or a stray value.
std::string why_not_rest(const CLI::App& app, const std::vector<CLI::App*>& commands) {
  const std::vector<std::string> rest = app.remaining(true);
  std::vector<std::string> names;
  for (const command_name& each : all_commands) names.push_back(each.name);
  if (rest.empty()) {
    return fmt::format("say what to measure: 'ithaca-bench {}'",
                       fmt::join(names, "', 'ithaca-bench "));
  }
  const auto chosen = std::ranges::find_if(commands, &CLI::App::parsed);
  const CLI::App& meant = chosen == commands.end() ? *commands.front() : **chosen;
  const std::string word = rest.front().substr(0, rest.front().find('='));
  if (word.starts_with("-")) {
    const std::string nearest = console::nearest_name(word, flags_of(meant));
    if (nearest == word) {
      return fmt::format("{} belongs behind the command: 'ithaca-bench {} {}'", word,
                         meant.get_name(), word);
    }
    return fmt::format("there is no option '{}'{}", word,
                       nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  }
  if (chosen == commands.end()) {
    return fmt::format("there is no command '{}'{}", word, console::did_you_mean(word, names));
  }
  return fmt::format("'{}' belongs to no option", word);
}

}  // namespace

std::variant<exchange_options, early_exit> parse(int argc, const char* const* argv,
                                                 const char* const* environment) {
  const auto refused = [command = typed_command(argc, argv)](const std::string& why) {
    return refusal(why, command);
  };
  if (const std::string foreign = foreign_setting(argc, argv, environment); !foreign.empty()) {
    return refused(foreign);
  }
  CLI::App app("Measures the Ulysses exchange and proves every byte of it.", "ithaca-bench");
  app.require_subcommand(0, 1)->allow_extras();
  std::vector<CLI::App*> commands;
  typed_options typed;
  for (const auto& [name, summary] : all_commands) {
    commands.push_back(app.add_subcommand(name, summary)->allow_extras());
    declare(*commands.back(), typed);
  }
  try {
    app.parse(argc, argv);
    const auto chosen = std::ranges::find_if(commands, &CLI::App::parsed);
    if (chosen == commands.end() || !app.remaining(true).empty()) {
      return refused(why_not_rest(app, commands));
    }
    const std::string name = (*chosen)->get_name();
    if (name == crossover_command.name) prefer_sizes(typed);
    if (is_of_stages(name)) refuse_exchange_options(typed);
    exchange_options options = judge(typed);
    options.command = name;
    options.way = name == gather_command.name ? direction::gather : direction::scatter;
    return options;
  } catch (const CLI::ParseError& error) {
    std::ostringstream text;
    if (error.get_exit_code() != 0) return refused(error.what());
    app.exit(error, text, text);
    std::string help = text.str();
    help.erase(help.find_last_not_of('\n') + 1);
    return early_exit{help, console::good};
  } catch (const invalid_use& error) {
    return refused(error.what());
  }
}

bool is_of_stages(std::string_view command) {
  return command == stage_command.name || command == tune_command.name ||
         command == ablation_command.name || command == interference_command.name;
}

std::vector<int> degrees_for(const exchange_options& options, int ranks) {
  if (ranks < 2) {
    throw invalid_use("an exchange takes at least two ranks: start it with mpirun -np 2 or more");
  }
  if (options.degrees.empty()) return {ranks};
  for (const int degree : options.degrees) {
    if (ranks % degree != 0) {
      throw invalid_use(fmt::format("--degrees {} does not divide {} ranks", degree, ranks));
    }
  }
  return options.degrees;
}

}  // namespace ithaca::bench
