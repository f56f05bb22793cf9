// ithaca-trace: looks into the traces that runs leave behind.

#include "reports/console/output.hpp"
#include "traces/commands/table.hpp"

int main(int argc, char** argv) {
  using namespace ithaca;
  const console::program program = {
      "ithaca-trace", "Looks into the traces that runs leave behind.",
      "Example: ithaca-trace summary out/latest/trace.json\n\n"
      "ithaca-trace COMMAND --help shows each command's options and examples.\n"
      "Exit codes: 0 good, 1 something is wrong or different, 2 bad use or invalid input."};
  return console::end_output(program.name,
                             console::run_commands(program, traces::all_commands(), argc, argv));
}
