#include "backend/watch.hpp"

namespace ithaca {

std::vector<std::string> watch::steps() const {
  std::vector<std::string> told;
  for (const auto* each : steps_) told.push_back((*each)());
  return told;
}

}  // namespace ithaca
