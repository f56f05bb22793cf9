#pragma once

#include <filesystem>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "traces/timeline_record.hpp"

namespace ithaca::traces {

/// Writes the records of all ranks as one Chrome JSON trace, for Perfetto.
///
/// A rank is a process, a row a thread (the host's first); slices that overlap partly get a
/// further lane, "copy (2)". Times are microseconds from the earliest record, whose time is
/// `otherData.base_ns`; `metadata`, a JSON object, is the rest of `otherData`. An arrow leads from
/// an operation's submit to the first thing that the device did for it. Operations without a
/// record of the device are instants with `args.enqueued`.
///
/// Throws `std::invalid_argument` for a negative rank, a record that ends before it starts,
/// metadata that is no object, or ids too large for an exact number in JavaScript (ranks from
/// 131,072, operations from 2^36 on); `std::runtime_error` if `out` fails.
void write_chrome_trace(std::ostream& out, std::span<const timeline_record> records,
                        const nlohmann::json& metadata);

/// The same into a file, which appears whole or not at all. Throws `std::runtime_error` that
/// names the file when it can't be written.
void write_chrome_trace(const std::filesystem::path& path, std::span<const timeline_record> records,
                        const nlohmann::json& metadata);

}  // namespace ithaca::traces
