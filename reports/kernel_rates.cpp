#include "reports/kernel_rates.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <set>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

kernel_rate rate_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  kernel_rate to{reader.text("kernel"), reader.count("bytes"), reader.positive("gbps"),
                 reader.positive("copy_share")};
  if (to.bytes == 0) refuse(reader.place_of("bytes"), "is not positive");
  reader.finish();
  return to;
}

}  // namespace

json to_json(const std::vector<kernel_rate>& from) {
  json rates = json::array();
  for (const kernel_rate& each : from) {
    rates.push_back({{"kernel", each.kernel},
                     {"bytes", each.bytes},
                     {"gbps", each.gbps},
                     {"copy_share", each.copy_share}});
  }
  return rates;
}

std::vector<kernel_rate> kernel_rates_from_json(const json& from, const std::string& place) {
  std::vector<kernel_rate> to;
  std::set<std::string> seen;
  const json& rates = as_array(from, place);
  for (std::size_t at = 0; at < rates.size(); ++at) {
    const std::string inner = fmt::format("{}[{}]", place, at);
    to.push_back(rate_from_json(rates[at], inner));
    if (!seen.insert(to.back().kernel).second) {
      refuse(inner, fmt::format("repeats the kernel \"{}\"", to.back().kernel));
    }
  }
  return to;
}

}  // namespace ithaca::reports
