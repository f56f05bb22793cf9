// ithaca-gate: holds a run against a baseline, and says in an exit code whether it may pass.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/console/exit_codes.hpp"
#include "reports/console/input_file.hpp"
#include "reports/console/nearest_name.hpp"
#include "reports/console/output.hpp"
#include "reports/console/unknown_word.hpp"
#include "reports/gate/baseline_file.hpp"
#include "reports/gate/derivation.hpp"
#include "reports/gate/judgement.hpp"
#include "reports/gate/writers.hpp"
#include "reports/report_file.hpp"
#include "reports/whole_file.hpp"

namespace {

using namespace ithaca;
namespace gate = reports::gate;

constexpr const char* program = "ithaca-gate";

struct options {
  std::string baseline;
  std::vector<std::string> reports;
  bool update = false;
  bool absolute = false;
  bool quiet = false;
  std::string format = "text";
  std::string out;
  std::vector<std::string> margins;
};

constexpr const char* footer =
    "Examples:\n"
    "  ithaca-gate --baseline reports/baselines/h200-x2.json out/latest/report.json\n"
    "  ithaca-gate --baseline b.json --format junit --out gate.xml out/latest/report.json\n"
    "  ithaca-gate --baseline b.json launch-1/report.json launch-2/report.json\n"
    "  ithaca-gate --update --baseline b.json launch-*/report.json\n\n"
    "Several reports are launches of one run, and merged. Exit codes: 0 pass, 1 fail, 2 invalid,\n"
    "4 ambiguous. docs/gate.md says what they mean.";

void declare(CLI::App& app, options& to) {
  app.add_option("--baseline", to.baseline, "The baseline's file")->required();
  app.add_option("REPORT", to.reports, "Reports of the run's launches (.json, or packed .json.gz)")
      ->required();
  app.add_flag("--update", to.update,
               "Derive the baseline from the reports (three launches at least) and write it");
  app.add_option("--margin", to.margins,
                 "With --update: METRIC=FRACTION that a change must exceed (0.025)")
      ->allow_extra_args(false);
  app.add_flag("--absolute", to.absolute, "Gate times, too, not only ratios between arms");
  app.add_option("--format", to.format, "text, json, junit or github (text)");
  app.add_option("--out", to.out, "File to write instead of standard output");
  app.add_flag("--quiet", to.quiet, "Of text, the verdict alone");
  app.footer(footer);
}

using writer = std::function<std::string(const gate::result&)>;

bool wants_colour(const options& typed) {
  const char* refused = std::getenv("NO_COLOR");
  return typed.out.empty() && (!refused || !*refused) && isatty(STDOUT_FILENO) == 1;
}

writer writer_of(const options& typed) {
  const std::map<std::string, writer> known = {
      {"text",
       [&](const gate::result& of) {
         return gate::as_text(of, {typed.quiet, wants_colour(typed)});
       }},
      {"json", gate::as_json},
      {"junit", gate::as_junit},
      {"github", gate::as_github}};
  const auto found = known.find(typed.format);
  if (found != known.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, unused] : known) names.push_back(name);
  throw std::invalid_argument(fmt::format("--format '{}' is unknown{}", typed.format,
                                          console::did_you_mean(typed.format, names)));
}

gate::margins margins_of(const options& typed) {
  gate::margins all = gate::default_margins();
  for (const std::string& each : typed.margins) {
    const std::size_t equals = each.find('=');
    if (equals == std::string::npos) {
      throw std::invalid_argument(
          fmt::format("--margin '{}': give METRIC=FRACTION, e.g. speedup=0.025", each));
    }
    const std::string name(gate::gated_metric_of(each.substr(0, equals)).name);
    const std::string typed_margin = each.substr(equals + 1);
    char* end = nullptr;
    const double margin = std::strtod(typed_margin.c_str(), &end);
    if (typed_margin.empty() || *end != '\0' || !(margin > 0 && margin <= 0.1)) {
      throw std::invalid_argument(
          fmt::format("--margin '{}': give a fraction above 0 and at most 0.1 (10 %)", each));
    }
    all[name] = margin;
  }
  return all;
}

int update(const options& typed) {
  console::refuse_overwriting(typed.baseline, typed.reports);
  const gate::margins declared = margins_of(typed);
  std::vector<gate::named_launch> launches;
  for (const std::string& path : typed.reports) {
    launches.push_back(
        {{path, reports::read_report(path)}, gate::content_id(console::read_input(path))});
  }
  const gate::baseline made = gate::derive(launches, declared);
  gate::write_baseline(made, typed.baseline);
  if (!typed.quiet) {
    fmt::print("{}: {} cells, {} ratios, from {} launches\n", typed.baseline, made.cells.size(),
               gate::ratio_count(made), made.launches.size());
  }
  return console::good;
}

gate::result judge(const options& typed) {
  const gate::baseline against = gate::read_baseline(typed.baseline);
  std::vector<reports::named_report> launches;
  for (const std::string& path : typed.reports) {
    launches.push_back({path, reports::read_report(path)});
  }
  reports::named_report run = launches.front();
  if (launches.size() > 1) run.report = reports::merged_report(launches);
  gate::result made = gate::judge(against, typed.baseline, run, {typed.absolute});
  made.reports = typed.reports;
  return made;
}

void write(const std::string& text, const std::string& out) {
  if (out.empty())
    std::fputs(text.c_str(), stdout);
  else
    reports::write_whole_file(out, text);
}

/// What can't be compared is a verdict, too, in whatever format is asked for.
int check(const options& typed) {
  const writer as_wanted = writer_of(typed);
  if (!typed.out.empty()) {
    console::refuse_overwriting(typed.out, typed.reports);
    console::refuse_overwriting(typed.out, std::array{typed.baseline});
  }
  gate::result came_to;
  try {
    came_to = judge(typed);
  } catch (const std::invalid_argument& refused) {
    console::complain(std::string(program) + ": " + refused.what());
    if (typed.format == "text") return console::bad_use;
    came_to = gate::refused(typed.baseline, typed.reports, refused.what());
  }
  write(as_wanted(came_to), typed.out);
  return gate::exit_code(gate::verdict_of(came_to));
}

void require_sense(const options& typed) {
  const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
  if (!typed.update && !typed.margins.empty()) {
    refuse("--margin is declared in the baseline: give it with --update");
  }
  if (typed.update && typed.absolute) {
    refuse("--update derives what --absolute needs anyway: leave --absolute away");
  }
  if (typed.update && !typed.out.empty()) {
    refuse("--update writes the file of --baseline: leave --out away");
  }
}

int run(int argc, char** argv) {
  options typed;
  CLI::App app("Holds a run against a baseline, and says in its exit code whether it may pass.",
               program);
  declare(app, typed);
  try {
    console::refuse_unknown_option(app, std::span(argv + 1, argv + argc));
    app.parse(argc, argv);
    require_sense(typed);
    return typed.update ? update(typed) : check(typed);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return console::good;
  } catch (const std::exception& refused) {
    console::complain(std::string(program) + ": " + refused.what());
    return console::bad_use;
  }
}

}  // namespace

int main(int argc, char** argv) { return console::end_output(program, run(argc, argv)); }
