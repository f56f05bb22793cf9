#include "bench/command_names.hpp"

namespace ithaca::bench {

bool is_of_stages(std::string_view command) {
  return command == stage_command.name || command == tune_command.name ||
         command == ablation_command.name || command == interference_command.name;
}

}  // namespace ithaca::bench
