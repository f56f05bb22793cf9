#include "bench/rank_main.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "bench/exit_codes.hpp"

namespace ithaca::bench {
namespace {

/// The launcher ends all ranks soon after the first that fails: time for each to say its line.
constexpr std::chrono::milliseconds last_words{500};

[[noreturn]] void leave_broken(std::string_view name, const group& world, const std::string& what) {
  fmt::print(stderr, "{}: rank {}: {}\n", name, world.rank(), what);
  std::fflush(nullptr);
  std::this_thread::sleep_for(last_words);
  std::_Exit(broken);
}

int refuse(std::string_view name, const group& world, const char* what) {
  if (world.rank() == 0) fmt::print(stderr, "{}: {}\n", name, what);
  return bad_use;
}

}  // namespace

int run_rank(std::string_view name, group& world, const std::vector<std::string>& arguments,
             const rank_program& program) {
  try {
    std::string line;
    for (const std::string& each : arguments) line += (line.empty() ? "'" : " '") + each + "'";
    require_same(world, "arguments", line.empty() ? "none" : line);
    return program(world);
  } catch (const invalid_use& refused) {
    return refuse(name, world, refused.what());
  } catch (const not_eligible& refused) {
    return refuse(name, world, refused.what());
  } catch (const exchange_broken& failure) {
    leave_broken(name, world, std::string("the exchange broke: ") + failure.what());
  } catch (const std::exception& failure) {
    leave_broken(name, world, failure.what());
  }
}

}  // namespace ithaca::bench
