#include "bench/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>
#include <sstream>
#include <string_view>

#include "backend/errors.hpp"
#include "bench/arm.hpp"
#include "bench/command_names.hpp"
#include "bench/option_values.hpp"
#include "bench/typed_options.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/console/nearest_name.hpp"

namespace ithaca::bench {
namespace {

constexpr int most_rounds = 1'000'000;

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
  options.quiet = typed.quiet;
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
    if (option->get_group() == hidden_options) continue;
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
