#include "bench/fabric_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "backend/errors.hpp"
#include "reports/console/nearest_name.hpp"
#include "reports/object_reader.hpp"

namespace ithaca::bench {
namespace {

using reports::json;
using reports::object_reader;
using sim::fabric_figures;
using sim::push_rate;

const std::filesystem::path shipped = ITHACA_FABRICS_FOLDER;

struct rate_field {
  const char* name;
  double fabric_figures::*figure;
};

struct time_field {
  const char* name;
  std::int64_t fabric_figures::*figure;
};

constexpr rate_field rates[] = {
    {"port", &fabric_figures::port_gbps},
    {"lanes", &fabric_figures::lanes_gbps},
    {"local_copy", &fabric_figures::local_copy_gbps},
};

constexpr time_field times[] = {
    {"first_copy", &fabric_figures::first_copy_ns},
    {"next_copy", &fabric_figures::next_copy_ns},
    {"local_copy_start", &fabric_figures::local_copy_ns},
    {"kernel_start", &fabric_figures::kernel_ns},
    {"push_start", &fabric_figures::push_ns},
    {"event", &fabric_figures::event_ns},
    {"signal_write", &fabric_figures::signal_write_ns},
    {"signal_flight", &fabric_figures::signal_flight_ns},
    {"signal_wait", &fabric_figures::signal_wait_ns},
    {"host_copy", &fabric_figures::host_copy_ns},
    {"host_signal", &fabric_figures::host_signal_ns},
    {"host_launch", &fabric_figures::host_launch_ns},
    {"host_event", &fabric_figures::host_event_ns},
    {"host_wake", &fabric_figures::host_wake_ns},
    {"arrival_skew", &fabric_figures::arrival_skew_ns},
};

/// A second of latency is none that anybody means, and sums of them must stay numbers.
constexpr std::int64_t most_ns = 1'000'000'000;
constexpr double least_gbps = 1e-3;
constexpr double most_gbps = 1e6;

void read_source(object_reader& from, const char* unit) {
  from.one_of("unit", {unit});
  if (from.text("source").empty()) reports::refuse(from.place_of("source"), "is empty");
}

double read_rate(object_reader& from) {
  const double gbps = from.number("value");
  if (!(gbps >= least_gbps && gbps <= most_gbps)) {
    reports::refuse(from.place_of("value"),
                    fmt::format("must lie between {} and {}", least_gbps, most_gbps));
  }
  read_source(from, "GB/s");
  return gbps;
}

std::int64_t read_time(object_reader& from) {
  const std::int64_t ns = from.integer("value");
  if (ns < 0 || ns > most_ns) {
    reports::refuse(from.place_of("value"), fmt::format("must lie between 0 and {}", most_ns));
  }
  read_source(from, "ns");
  return ns;
}

std::vector<push_rate> read_push_rates(object_reader& figures) {
  std::vector<push_rate> read;
  const json& list = figures.array("push");
  for (std::size_t at = 0; at < list.size(); ++at) {
    object_reader each(list[at], fmt::format("{}[{}]", figures.place_of("push"), at));
    const push_rate rate{each.small_count("ctas"), read_rate(each)};
    each.finish();
    if (rate.ctas <= (read.empty() ? 0 : read.back().ctas)) {
      reports::refuse(each.place_of("ctas"), "must lie above the one before, and above 0");
    }
    read.push_back(rate);
  }
  if (read.empty()) reports::refuse(figures.place_of("push"), "is empty");
  return read;
}

fabric_figures from_json(const json& whole, const std::string& file) {
  object_reader top(whole, file);
  top.text("note");
  object_reader figures(top.at("figures"), top.place_of("figures"));
  top.finish();
  fabric_figures read;
  const auto one = [&](const char* name, auto& to, auto read_value) {
    object_reader figure(figures.at(name), figures.place_of(name));
    to = read_value(figure);
    figure.finish();
  };
  for (const auto& [name, figure] : rates) one(name, read.*figure, read_rate);
  for (const auto& [name, figure] : times) one(name, read.*figure, read_time);
  read.push_rates = read_push_rates(figures);
  figures.finish();
  return read;
}

bool is_file_name(const std::string& text) {
  return text.find('/') != text.npos || text.ends_with(".json");
}

json parse_file(const std::filesystem::path& file) {
  std::error_code error;
  std::ifstream stream(file);
  if (!std::filesystem::is_regular_file(file, error) || !stream) {
    throw invalid_use(
        fmt::format("{} can't be read: give a file that describes a fabric, or one "
                    "of the fabrics that are known ({})",
                    file.string(), fmt::join(fabric_names(), ", ")));
  }
  try {
    return json::parse(stream);
  } catch (const json::parse_error& wrong) {
    throw invalid_use(fmt::format("{} is no JSON: {}", file.string(), wrong.what()));
  } catch (const json::out_of_range& wrong) {
    throw invalid_use(
        fmt::format("{} holds a number that is too large: {}", file.string(), wrong.what()));
  } catch (const std::ios_base::failure& unreadable) {
    throw invalid_use(fmt::format("{} can't be read: {}", file.string(), unreadable.what()));
  }
}

}  // namespace

std::vector<std::string> fabric_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& each : std::filesystem::directory_iterator(shipped, error)) {
    if (each.path().extension() == ".json") names.push_back(each.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

sim::fabric_figures read_fabric(const std::string& name_or_file) {
  std::filesystem::path file = name_or_file;
  if (!is_file_name(name_or_file)) {
    const std::vector<std::string> known = fabric_names();
    if (std::ranges::find(known, name_or_file) == known.end()) {
      throw invalid_use(fmt::format("there is no fabric '{}'{}", name_or_file,
                                    console::did_you_mean(name_or_file, known)));
    }
    file = shipped / (name_or_file + ".json");
  }
  try {
    fabric_figures read = from_json(parse_file(file), file.filename());
    read.name = file.stem();
    return read;
  } catch (const std::invalid_argument& wrong) {
    throw invalid_use(wrong.what());
  }
}

}  // namespace ithaca::bench
