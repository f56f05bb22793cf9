#pragma once

#include <array>
#include <string_view>

namespace ithaca::bench {

/// A command of ithaca-bench, and what its help says of it.
struct command_name {
  const char* name;
  const char* summary;
};

inline constexpr command_name scatter_command = {
    "scatter", "Compare arms on the exchange of Q, K and V, sequence to heads; run by mpirun"};
inline constexpr command_name gather_command = {
    "gather", "Compare arms on the exchange of the output, heads to sequence; run by mpirun"};
inline constexpr command_name crossover_command = {
    "crossover",
    "Compare arms over sizes, and say from which size on which is quickest; run by mpirun"};
inline constexpr command_name stage_command = {
    "stage", "Compare schedules of projection, norm and exchange, with each arm; run by mpirun"};
inline constexpr command_name tune_command = {
    "tune", "Search each arm's best schedule, whose report 'stage --tuned' takes; run by mpirun"};
inline constexpr command_name ablation_command = {
    "ablation", "Change one thing at a time of the copy engine's stage; run by mpirun"};
inline constexpr command_name interference_command = {
    "interference", "Measure what exchange and computation cost each other; run by mpirun"};
inline constexpr std::array all_commands = {scatter_command,     gather_command, crossover_command,
                                            stage_command,       tune_command,   ablation_command,
                                            interference_command};

/// Whether a command samples the stage around the exchange.
bool is_of_stages(std::string_view command);

}  // namespace ithaca::bench
