#include "validation/faults/fault_strike.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <utility>

#include "backend/host/host_event.hpp"
#include "backend/host/shared_word.hpp"

namespace ithaca::validation {
namespace {

constexpr std::size_t page_bytes = 4096;

const std::string& name(fault_point at) { return fault_point_names[static_cast<std::size_t>(at)]; }
const std::string& name(fault_kind how) { return fault_kind_names[static_cast<std::size_t>(how)]; }

bool happens_in_an_exchange(fault_point at) {
  return at != fault_point::prepare_before && at != fault_point::prepare_within;
}

}  // namespace

fault_strike::fault_strike(group& world, const fault_plan& plan)
    : plan_(plan),
      mine_(world.rank() == plan.rank),
      pages_(world, memories_, memories_.allocate(page_bytes)) {}

void fault_strike::reached(fault_point at, std::int64_t exchange) {
  if (!mine_ || at != plan_.at || plan_.how == fault_kind::none) return;
  if (happens_in_an_exchange(at) && exchange != plan_.exchange) return;
  const std::string what = fmt::format(
      "{} at {}{}", name(plan_.how), name(at),
      happens_in_an_exchange(at) ? fmt::format(" of exchange {}", exchange) : std::string());
  fmt::print("fault: rank {}: {}\n", plan_.rank, what);
  std::fflush(stdout);
  store_and_wake(time_ns(), static_cast<std::uint64_t>(monotonic_ns()));
  const fault_kind how = std::exchange(plan_.how, fault_kind::none);
  if (how == fault_kind::kill) ::raise(SIGKILL);
  if (how == fault_kind::stop) ::kill(::getpid(), SIGSTOP);
  if (how == fault_kind::raise) throw std::runtime_error("a planned fault: " + what);
}

std::string fault_strike::since() const {
  const std::uint64_t then = load(time_ns());
  if (then == 0) return "before the fault";
  return fmt::format("{} ms after the fault",
                     (static_cast<std::uint64_t>(monotonic_ns()) - then) / 1'000'000);
}

std::uint64_t* fault_strike::time_ns() const {
  return reinterpret_cast<std::uint64_t*>(pages_.at(plan_.rank));
}

}  // namespace ithaca::validation
