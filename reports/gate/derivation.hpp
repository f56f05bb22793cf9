#pragma once

#include <span>
#include <string>

#include "reports/gate/baseline.hpp"
#include "reports/merged_report.hpp"

namespace ithaca::reports::gate {

/// A launch's report, its file's name, and its `content_id`.
struct named_launch {
  named_report of;
  std::string content;
};

/// The margin that is declared for every gated metric unless something else is: `default_margin`.
margins default_margins();

/// The baseline that launches lead to: exact counts, and on GPUs what is expected of every gated
/// metric (`fit`).
///
/// Throws `std::invalid_argument`, naming file and cell, for fewer than three launches, launches of
/// different runs (`merged_report`), runs that are not complete, cells that one launch lacks,
/// refuted or left incomplete, that some measured and some skipped, or whose counts differ, and an
/// A/A comparison outside its band.
baseline derive(std::span<const named_launch> launches, const margins& declared);

}  // namespace ithaca::reports::gate
