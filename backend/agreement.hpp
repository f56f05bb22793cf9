#pragma once

#include <functional>
#include <string>

#include "backend/group.hpp"

namespace ithaca {

/// Collective: throws `not_eligible` on every rank, with all reasons, unless each rank's `reason`
/// (why it can't take part) is empty.
void require_eligible(group& among, const std::string& reason);

/// Collective: throws `invalid_use` on every rank, with the first reason, unless each rank's
/// `reason` (what was asked of it that can't be) is empty.
void require_valid(group& among, const std::string& reason);

/// Collective: runs `step`, which is local. What one rank's throws, all ranks throw, with the
/// reasons of those that failed: `not_eligible` where it was refused (`invalid_use`,
/// `not_eligible`), `exchange_broken` where it failed in any other way.
void run_together(group& among, const std::function<void()>& step);

/// Collective: throws `invalid_use` on every rank unless all of them bring the same text.
/// `what` names it in the message.
void require_same(group& among, const std::string& what, const std::string& text);

}  // namespace ithaca
