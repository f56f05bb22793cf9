#include "bench/options.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "backend/errors.hpp"

namespace ithaca::bench {
namespace {

using outcome = std::variant<exchange_options, early_exit>;

outcome parse_words(std::vector<const char*> words, std::vector<const char*> environment = {}) {
  words.insert(words.begin(), "ithaca-bench");
  environment.push_back(nullptr);
  return parse(static_cast<int>(words.size()), words.data(), environment.data());
}

exchange_options accepted(std::vector<const char*> words) {
  words.insert(words.begin(), "scatter");
  const outcome result = parse_words(words);
  if (const auto* refused = std::get_if<early_exit>(&result)) {
    ADD_FAILURE() << refused->text;
    return {};
  }
  return std::get<exchange_options>(result);
}

/// The sentence that refuses the words, which must come with exit code 2.
std::string refused(const outcome& result) {
  const auto* exit = std::get_if<early_exit>(&result);
  if (exit == nullptr) return "accepted";
  EXPECT_EQ(exit->exit_code, 2) << exit->text;
  EXPECT_TRUE(exit->text.starts_with("ithaca-bench: ") && !exit->text.ends_with("\n"))
      << exit->text;
  return exit->text;
}

std::string refused_scatter(std::vector<const char*> words) {
  words.insert(words.begin(), "scatter");
  return refused(parse_words(words));
}

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << part << "\" is not in: " << text;
}

TEST(options, default_to_a_comparison_of_everything_on_a_few_shapes) {
  const exchange_options options = accepted({});
  EXPECT_TRUE(options.arms.empty());
  EXPECT_TRUE(options.shapes.empty());
  EXPECT_TRUE(options.own_shapes.empty());
  EXPECT_EQ(options.dtypes, std::vector{element_type::bf16});
  EXPECT_TRUE(options.degrees.empty());
  EXPECT_EQ(options.modes, (std::vector{exchange_mode::isolated, exchange_mode::pipelined}));
  EXPECT_EQ(options.rounds, 10);
  EXPECT_EQ(options.iterations, 5);
  EXPECT_FALSE(options.device);
  EXPECT_FALSE(options.out);
  EXPECT_EQ(options.seed, 1u);
  EXPECT_FALSE(options.list);
  EXPECT_FALSE(options.dry_run);
  EXPECT_EQ(options.timeout, std::chrono::seconds(30));
  EXPECT_FALSE(options.reference);
  EXPECT_FALSE(options.scenarios);
}

TEST(options, take_every_flag) {
  const exchange_options options = accepted({"--arms",       "nccl,copy-engine",
                                             "--arms",       "mpi,nccl",
                                             "--shapes",     "a,b",
                                             "--shape",      "1,100,8,64",
                                             "--shape",      "2,50,4,128",
                                             "--dtypes",     "bf16,fp16,fp32,fp8",
                                             "--degrees",    "2,4",
                                             "--mode",       "pipelined",
                                             "--rounds",     "2",
                                             "--iterations", "1",
                                             "--device",     "host",
                                             "--out",        "here",
                                             "--seed",       "18446744073709551615",
                                             "--list",       "--dry-run",
                                             "--timeout",    "1.5",
                                             "--reference",  "mpi",
                                             "--scenarios",  "mine.json"});
  EXPECT_EQ(options.arms, (std::vector<std::string>{"nccl", "copy-engine", "mpi"}));
  EXPECT_EQ(options.shapes, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(options.own_shapes.size(), 2u);
  EXPECT_EQ(options.own_shapes[1].name, "2x50x4x128");
  EXPECT_EQ(options.dtypes, (std::vector{element_type::bf16, element_type::fp16, element_type::fp32,
                                         element_type::fp8}));
  EXPECT_EQ(options.degrees, (std::vector{2, 4}));
  EXPECT_EQ(options.modes, std::vector{exchange_mode::pipelined});
  EXPECT_EQ(options.rounds, 2);
  EXPECT_EQ(options.iterations, 1);
  EXPECT_EQ(options.device, device_kind::host);
  EXPECT_EQ(options.out, "here");
  EXPECT_EQ(options.seed, 18446744073709551615u);
  EXPECT_TRUE(options.list);
  EXPECT_TRUE(options.dry_run);
  EXPECT_EQ(options.timeout, std::chrono::milliseconds(1500));
  EXPECT_EQ(options.reference, "mpi");
  EXPECT_EQ(options.scenarios, "mine.json");
}

TEST(options, take_what_is_simulated) {
  const simulation_choice chosen =
      accepted({"--device", "sim", "--ranks", "8", "--skew-us", "25", "--move-bytes"}).simulation;
  EXPECT_EQ(chosen, (simulation_choice{8, "h200-nv18", 25'000, true}));
  EXPECT_EQ(accepted({"--device", "sim", "--ranks", "64"}).simulation,
            (simulation_choice{64, "h200-nv18", std::nullopt, false}));
  EXPECT_EQ(accepted({"--device", "sim", "--list"}).simulation.ranks, 0);
}

TEST(options, refuse_what_is_simulated_elsewhere_and_too_few_or_many_ranks) {
  EXPECT_TRUE(has(refused_scatter({"--device", "sim"}), "give --ranks, from 2 to 64"));
  EXPECT_TRUE(has(refused_scatter({"--device", "sim", "--ranks", "1"}), "from 2 to 64"));
  EXPECT_TRUE(has(refused_scatter({"--device", "sim", "--ranks", "65"}), "from 2 to 64"));
  EXPECT_TRUE(has(refused_scatter({"--device", "sim", "--ranks", "2", "--fabric", "moon"}),
                  "there is no fabric 'moon'"));
  for (const std::vector<const char*>& flag : {std::vector<const char*>{"--ranks", "2"},
                                               {"--fabric", "h200-nv18"},
                                               {"--skew-us", "1"},
                                               {"--move-bytes"}}) {
    EXPECT_TRUE(has(refused_scatter(flag), "belongs to --device sim"));
  }
}

TEST(options, take_the_last_of_a_repeated_value) {
  EXPECT_EQ(accepted({"--rounds", "3", "--rounds=4"}).rounds, 4);
}

TEST(options, read_numbers_as_decimal) { EXPECT_EQ(accepted({"--rounds", "010"}).rounds, 10); }

TEST(options, show_help_without_failing) {
  for (const std::vector<const char*>& words :
       {std::vector<const char*>{"--help"}, {"scatter", "--help"}, {"scatter", "-h"}}) {
    const outcome result = parse_words(words);
    const auto* exit = std::get_if<early_exit>(&result);
    ASSERT_NE(exit, nullptr);
    EXPECT_EQ(exit->exit_code, 0);
    EXPECT_TRUE(has(exit->text, "scatter"));
  }
  const std::string help = std::get<early_exit>(parse_words({"scatter", "--help"})).text;
  for (const char* flag : {"--arms", "--shapes", "--shape ", "--dtypes", "--degrees", "--mode",
                           "--rounds", "--iterations", "--device", "--out", "--seed", "--list",
                           "--dry-run", "--timeout", "--reference", "--scenarios", "Examples"}) {
    EXPECT_TRUE(has(help, flag));
  }
}

std::string help_of(const char* command) {
  return std::get<early_exit>(parse_words({command, "--help"})).text;
}

TEST(options, show_each_command_its_own_help) {
  for (const char* command : {"scatter", "gather"}) {
    const std::string help = help_of(command);
    EXPECT_TRUE(has(help, std::string("ithaca-bench ") + command + " --shapes"));
    EXPECT_TRUE(has(help, "isolated, pipelined or both (default: both)"));
    EXPECT_TRUE(has(help, "With --bytes: bytes of a token's heads"));
  }
  const std::string help = help_of("crossover");
  EXPECT_TRUE(has(help, "isolated, pipelined or both (default: isolated)"));
  EXPECT_TRUE(has(help, "(default: 64K:256M:2; on the host device 64K:1M:4)"));
  EXPECT_TRUE(has(help, "ithaca-bench crossover --bytes 64K:4M:2"));
  for (const char* refused_there : {"--shape", "--scenarios", "default: both", "With --bytes"}) {
    EXPECT_EQ(help.find(refused_there), help.npos) << refused_there;
  }
}

TEST(options, give_examples_that_are_taken) {
  for (const char* command : {"scatter", "gather", "crossover"}) {
    std::istringstream help(help_of(command));
    int examples = 0;
    for (std::string line; std::getline(help, line);) {
      const std::size_t at = line.find("ithaca-bench " + std::string(command));
      if (at == line.npos || !line.starts_with("  mpirun")) continue;
      ++examples;
      std::istringstream typed(line.substr(at));
      std::vector<std::string> words{std::istream_iterator<std::string>(typed), {}};
      std::vector<const char*> rest;
      for (std::size_t word = 1; word < words.size(); ++word) rest.push_back(words[word].c_str());
      EXPECT_TRUE(std::holds_alternative<exchange_options>(parse_words(rest))) << line;
    }
    EXPECT_EQ(examples, 3) << command;
  }
}

TEST(options, point_to_the_help_of_the_command_that_was_typed) {
  const auto points_to = [](std::vector<const char*> words, const std::string& help) {
    EXPECT_TRUE(has(refused(parse_words(std::move(words))), "'ithaca-bench " + help));
  };
  for (const std::string command : {"scatter", "gather", "crossover"}) {
    const std::string help = command + " --help' shows the options.";
    points_to({command.c_str(), "--rounds", "1"}, help);
    points_to({command.c_str(), "--round", "3"}, help);
    points_to({command.c_str(), "--rounds"}, help);
    points_to({command.c_str(), "stray"}, help);
    points_to({command.c_str(), "--benchmark_out=x"}, help);
    points_to({"--rounds", "3", command.c_str()}, command + " --rounds'");
  }
  points_to({}, "--help' shows the commands.");
  points_to({"scater"}, "--help' shows the commands.");
}

TEST(options, of_a_crossover_are_those_of_sizes) {
  const outcome plain = parse_words({"crossover", "--row-bytes", "1024"});
  const auto* options = std::get_if<exchange_options>(&plain);
  ASSERT_NE(options, nullptr);
  ASSERT_TRUE(options->sizes);
  EXPECT_EQ(options->sizes->least_bytes, 64u << 10);
  EXPECT_EQ(options->sizes->most_bytes, 256u << 20);
  EXPECT_EQ(options->sizes->row_bytes, 1024u);
  EXPECT_TRUE(options->usual_sizes);
  EXPECT_EQ(options->modes, std::vector{exchange_mode::isolated});
  for (const std::vector<const char*>& words :
       {std::vector<const char*>{"crossover", "--shapes", "all"},
        {"crossover", "--shape", "1,64,4,8"},
        {"crossover", "--scenarios", "mine.json"}}) {
    EXPECT_TRUE(has(refused(parse_words(words)),
                    "crossover compares sizes: give --bytes, or use scatter for shapes"));
  }
  EXPECT_EQ(refused(parse_words({"crossover", "--shapess", "x"})).find("did you mean"),
            std::string::npos)
      << "what it refuses";
}

TEST(options, take_the_number_of_blocks_that_push) {
  const outcome given = parse_words({"scatter", "--push-ctas", "16"});
  ASSERT_TRUE(std::holds_alternative<exchange_options>(given));
  EXPECT_EQ(std::get<exchange_options>(given).push_ctas, 16);
  EXPECT_TRUE(has(refused_scatter({"--push-ctas", "0"}), "--push-ctas"));
  EXPECT_TRUE(has(refused_scatter({"--push-ctas", "many"}), "--push-ctas"));
}

TEST(options, suggest_what_was_meant) {
  EXPECT_TRUE(has(refused(parse_words({"scater"})),
                  "there is no command 'scater'; did you mean 'scatter'?"));
  EXPECT_TRUE(has(refused_scatter({"--round", "3"}),
                  "there is no option '--round'; did you mean '--rounds'?"));
  EXPECT_TRUE(
      has(refused_scatter({"--sheed=3"}), "there is no option '--sheed'; did you mean '--seed'?"));
  EXPECT_TRUE(
      has(refused_scatter({"--mode", "bot"}), "--mode 'bot' is unknown; did you mean 'both'?"));
  EXPECT_TRUE(has(refused_scatter({"--device", "gpu"}), "known are 'auto', 'cuda', 'host', 'sim'"));
  EXPECT_TRUE(has(refused_scatter({"--dtypes", "bf16,fp23"}),
                  "--dtypes 'fp23' is unknown; did you mean 'fp32'?"));
}

TEST(options, refuse_words_in_the_wrong_place) {
  EXPECT_TRUE(has(refused(parse_words({})), "say what to measure: 'ithaca-bench scatter'"));
  EXPECT_TRUE(has(refused(parse_words({"--rounds", "3", "scatter"})),
                  "--rounds belongs behind the command: 'ithaca-bench scatter --rounds'"));
  EXPECT_TRUE(has(refused_scatter({"--arms", "a", "b"}), "'b' belongs to no option"));
  EXPECT_TRUE(has(refused_scatter({"--rounds"}), "--rounds"));
  EXPECT_TRUE(has(refused_scatter({"--list=maybe"}), "--list"));
}

TEST(options, refuse_values_out_of_range) {
  for (const char* value : {"1", "0", "-1", "x", "3x", "", "2.5", "99999999999"}) {
    EXPECT_TRUE(has(refused_scatter({"--rounds", value}), "give a whole number from 2 to"));
  }
  EXPECT_TRUE(has(refused_scatter({"--iterations", "0"}), "give a whole number from 1 to"));
  EXPECT_TRUE(
      has(refused_scatter({"--degrees", "2,1"}), "--degrees '1': give a whole number from 2 to"));
  for (const char* value : {"0", "-3", "nan", "inf", "soon", "1e9"}) {
    EXPECT_TRUE(has(refused_scatter({"--timeout", value}), "give seconds"));
  }
  for (const char* value : {"-1", "18446744073709551616", "x"}) {
    EXPECT_TRUE(has(refused_scatter({"--seed", value}), "give a whole number from 0 to 2^64 - 1"));
  }
}

TEST(options, refuse_empty_values) {
  EXPECT_TRUE(has(refused_scatter({"--arms", "a,,b"}), "--arms 'a,,b' has an empty name"));
  EXPECT_TRUE(has(refused_scatter({"--shapes", ""}), "--shapes '' has an empty name"));
  EXPECT_TRUE(has(refused_scatter({"--out", ""}), "--out is empty"));
  EXPECT_TRUE(has(refused_scatter({"--reference", ""}), "--reference is empty"));
}

TEST(options, refuse_impossible_shapes) {
  EXPECT_TRUE(has(refused_scatter({"--shape", "1,2,3"}), "give batch,tokens,heads,head size"));
  EXPECT_TRUE(has(refused_scatter({"--shape", "1,0,3,4"}), "tokens is 0, not positive"));
  EXPECT_TRUE(has(refused_scatter({"--shape", "1,4000000000,4000000000,128"}), "overflow"));
}

TEST(options, refuse_google_benchmarks_own_settings_and_say_why) {
  for (const char* flag : {"--benchmark_out=x.json", "--benchmark_enable_random_interleaving=true",
                           "--benchmark_list_tests"}) {
    const std::string said = refused_scatter({flag});
    EXPECT_TRUE(has(said, flag));
    EXPECT_TRUE(has(said, "several processes"));
    EXPECT_TRUE(has(said, "use --out for the report and --seed for the order"));
  }
  const std::string said =
      refused(parse_words({"scatter"}, {"HOME=/root", "BENCHMARK_OUT=x.json"}));
  EXPECT_TRUE(has(said, "The environment variable BENCHMARK_OUT would set Google Benchmark"));
  EXPECT_TRUE(std::holds_alternative<exchange_options>(
      parse_words({"scatter"}, {"MY_BENCHMARK_OUT=x", "BENCHMARKS=1"})));
}

TEST(options, refuse_the_variable_of_google_benchmarks_log_level) {
  const std::string said = refused(parse_words({"scatter"}, {"HOME=/root", "V=3"}));
  EXPECT_TRUE(has(said, "The environment variable V would set Google Benchmark's log level"));
  EXPECT_TRUE(has(said, "env -u V"));
  EXPECT_TRUE(std::holds_alternative<exchange_options>(
      parse_words({"scatter"}, {"VERBOSE=1", "VV=1", "MV=2"})));
}

TEST(degrees_for, defaults_to_all_ranks) {
  EXPECT_EQ(degrees_for({}, 4), std::vector{4});
  EXPECT_EQ(degrees_for(accepted({"--degrees", "2,4"}), 4), (std::vector{2, 4}));
}

TEST(degrees_for, refuses_what_does_not_divide) {
  EXPECT_THROW(degrees_for(accepted({"--degrees", "3"}), 4), invalid_use);
  EXPECT_THROW(degrees_for(accepted({"--degrees", "8"}), 4), invalid_use);
  EXPECT_THROW(degrees_for({}, 1), invalid_use);
}

TEST(options, take_an_nccl_by_path) {
  EXPECT_EQ(accepted({"--nccl", "there/libnccl.so.2"}).nccl, "there/libnccl.so.2");
  EXPECT_FALSE(accepted({}).nccl);
  EXPECT_TRUE(has(refused_scatter({"--nccl", ""}), "--nccl is empty"));
}

TEST(options, refuse_more_than_one_reference) {
  EXPECT_TRUE(has(refused_scatter({"--reference", "all"}), "--reference 'all': give the one arm"));
}

TEST(options, end_help_without_a_blank_line) {
  const outcome help = parse_words({"scatter", "--help"});
  EXPECT_FALSE(std::get<early_exit>(help).text.ends_with("\n"));
}

}  // namespace
}  // namespace ithaca::bench
