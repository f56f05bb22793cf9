#pragma once

#include <string>

#include "reports/gate/verdict.hpp"

namespace ithaca::reports::gate {

/// How a text is made.
struct text_style {
  bool quiet = false;   ///< the verdict alone
  bool colour = false;  ///< by the terminal's escapes
};

/// For people: the verdict, each finding, the noise floors, and what a comparison could find.
std::string as_text(const result& of, text_style style);

/// For scripts: everything, under names that docs/gate.md lists.
std::string as_json(const result& of);

/// For CI servers: one test case for each comparison and each cell's counts, as JUnit XML.
std::string as_junit(const result& of);

/// For GitHub: a workflow command for each finding, which becomes an annotation.
std::string as_github(const result& of);

}  // namespace ithaca::reports::gate
