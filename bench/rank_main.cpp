#include "bench/rank_main.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/console/output.hpp"

namespace ithaca::bench {
namespace {

int refuse(rank_watch& words, const group& world, const char* what) {
  words.rest();
  if (world.rank() == 0) console::complain(words.program() + ": " + what);
  return console::bad_use;
}

}  // namespace

int run_rank(const std::shared_ptr<rank_watch>& words, group& world,
             const std::vector<std::string>& arguments, const rank_program& program) {
  try {
    words->begin(world.rank(), nullptr);
    world.watch_peers();
    words->begin(world.rank(), world.watched());
    world.set_watch(words);
    std::string line;
    for (const std::string& each : arguments) line += (line.empty() ? "'" : " '") + each + "'";
    require_same(world, "arguments", line.empty() ? "none" : line);
    const int exit_code = program(world);
    words->rest();
    return exit_code;
  } catch (const invalid_use& refused) {
    return refuse(*words, world, refused.what());
  } catch (const not_eligible& refused) {
    return refuse(*words, world, refused.what());
  } catch (const exchange_broken& failure) {
    words->end(std::string("the exchange broke: ") + failure.what());
  } catch (const std::bad_alloc&) {
    words->end("the host's memory is not enough: use a smaller shape, or fewer ranks or arms");
  } catch (const std::exception& failure) {
    words->end(failure.what());
  }
}

}  // namespace ithaca::bench
