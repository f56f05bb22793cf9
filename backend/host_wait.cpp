#include "backend/host_wait.hpp"

namespace ithaca {

void require_done(const group& among, const std::function<bool()>& wait,
                  const std::function<std::string()>& where) {
  std::string error = "waited " + std::to_string(among.timeout().count()) + " ms in vain";
  try {
    if (wait()) return;
  } catch (const exchange_broken& failure) {
    error = failure.what();
  }
  among.give_up(error, where);
}

}  // namespace ithaca
