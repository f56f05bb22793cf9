// ithaca-report: makes of reports what people and other programs read.

#include "reports/commands/table.hpp"
#include "reports/console/output.hpp"

int main(int argc, char** argv) {
  using namespace ithaca;
  const console::program program = {
      "ithaca-report", "Makes of reports what people and other programs read.",
      "Example: ithaca-report html report.html out/latest/report.json\n\n"
      "ithaca-report COMMAND --help shows each command's options and examples.\n"
      "Exit codes: 0 good, 2 bad use or invalid input."};
  return console::end_output(program.name,
                             console::run_commands(program, reports::all_commands(), argc, argv));
}
