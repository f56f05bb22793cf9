#include "traces/chrome_trace.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traces/chrome_file.hpp"
#include "traces/chrome_text.hpp"
#include "traces/lanes.hpp"
#include "traces/slice_name.hpp"

namespace ithaca::traces {
namespace {

constexpr std::size_t no_record = std::numeric_limits<std::size_t>::max();

// A flow's id holds rank and operation, together below 2^53.
constexpr int operation_bits = 36;
constexpr int rank_bits = 17;

/// A rank's rows in the order in which they are shown.
struct row_key {
  int rank;
  std::string_view row;
  bool operator<(const row_key& other) const {
    return std::tuple(rank, row != host_row, row) <
           std::tuple(other.rank, other.row != host_row, other.row);
  }
};

/// The two ends of an arrow, as indices of records.
struct flow_ends {
  std::size_t submit = no_record;
  std::size_t first_work = no_record;
};

std::uint64_t flow_id(const timeline_record& record) {
  return (static_cast<std::uint64_t>(record.rank) << operation_bits) | record.operation;
}

void check_record(const timeline_record& record) {
  if (record.rank < 0 || record.rank >= (1 << rank_bits)) {
    throw std::invalid_argument(fmt::format("trace: {} is no rank", record.rank));
  }
  if (record.operation >> operation_bits != 0) {
    throw std::invalid_argument(
        fmt::format("trace: operation id {} is too large", record.operation));
  }
  if (record.end_ns < record.start_ns) {
    throw std::invalid_argument(fmt::format("trace: \"{}\" on rank {} ends {} ns before it starts",
                                            record.name, record.rank,
                                            record.start_ns - record.end_ns));
  }
}

class trace_writer {
 public:
  trace_writer(std::ostream& out, std::span<const timeline_record> records)
      : text_(out), records_(records) {
    for (const timeline_record& record : records_) check_record(record);
    find_base();
    place_in_rows();
    place_in_lanes();
    tie_flows();
  }

  void write(nlohmann::json other_data) {
    other_data["base_ns"] = base_ns_;
    text_.begin(other_data);
    write_names();
    for (const std::size_t i : order_) write_record(i);
    text_.end();
  }

 private:
  void find_base() {
    const auto earliest =
        std::min_element(records_.begin(), records_.end(),
                         [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
    if (earliest != records_.end()) base_ns_ = earliest->start_ns;
  }

  void place_in_rows() {
    std::map<row_key, std::uint32_t> index;
    for (const timeline_record& record : records_) index.try_emplace({record.rank, record.row}, 0);
    for (auto& [key, position] : index) {
      position = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back(key);
    }
    row_of_.reserve(records_.size());
    for (const timeline_record& record : records_) {
      row_of_.push_back(index.find({record.rank, record.row})->second);
    }
    order_.resize(records_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    // Stable, so that equal input gives equal files.
    std::stable_sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
      return std::tuple(row_of_[a], records_[a].start_ns, records_[b].end_ns) <
             std::tuple(row_of_[b], records_[b].start_ns, records_[a].end_ns);
    });
  }

  void place_in_lanes() {
    std::vector<lanes> lanes_of(rows_.size());
    lane_of_.resize(records_.size());
    for (const std::size_t i : order_) {
      lane_of_[i] = lanes_of[row_of_[i]].place(records_[i].start_ns, records_[i].end_ns);
    }
    // Thread ids are unique over all ranks: some viewers take them for those of one system.
    std::uint32_t next = 1;
    for (const lanes& used : lanes_of) {
      first_tid_.push_back(next);
      next += used.count();
    }
    first_tid_.push_back(next);
  }

  void tie_flows() {
    for (const std::size_t i : order_) {
      const timeline_record& record = records_[i];
      if (record.operation == 0 || record.kind == record_kind::range || record.enqueued_only) {
        continue;
      }
      flow_ends& ends = flows_[flow_id(record)];
      if (record.kind == record_kind::submit) {
        if (ends.submit == no_record) ends.submit = i;
      } else if (ends.first_work == no_record ||
                 record.start_ns < records_[ends.first_work].start_ns) {
        ends.first_work = i;
      }
    }
    // An arrow back in time (two clocks that disagree by a little) would be dropped, with a
    // warning.
    std::erase_if(flows_, [this](const auto& flow) {
      const auto [submit, work] = flow.second;
      return submit == no_record || work == no_record ||
             records_[submit].start_ns > records_[work].start_ns;
    });
  }

  void write_names() {
    int named_rank = -1;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const auto [rank, name] = rows_[row];
      if (rank != named_rank) {
        write_metadata("process_name", rank, 0, fmt::format("rank {}", rank));
        write_sort_index("process_sort_index", rank, 0, static_cast<std::uint32_t>(rank));
        named_rank = rank;
      }
      for (std::uint32_t tid = first_tid_[row]; tid < first_tid_[row + 1]; ++tid) {
        const std::uint32_t lane = tid - first_tid_[row];
        write_metadata("thread_name", rank, tid,
                       lane == 0 ? std::string(name) : fmt::format("{} ({})", name, lane + 1));
        write_sort_index("thread_sort_index", rank, tid, tid);
      }
    }
  }

  void write_metadata(std::string_view what, int rank, std::uint32_t tid, std::string_view name) {
    text_.begin_event();
    text_.put(FMT_COMPILE(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":)"), what,
              rank, tid);
    text_.put_string(name);
    text_.put(FMT_COMPILE("}}}}"));
  }

  void write_sort_index(std::string_view what, int rank, std::uint32_t tid, std::uint32_t index) {
    text_.begin_event();
    text_.put(
        FMT_COMPILE(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"sort_index":{}}}}})"),
        what, rank, tid, index);
  }

  void write_record(std::size_t i) {
    const timeline_record& record = records_[i];
    const std::uint32_t tid = first_tid_[row_of_[i]] + lane_of_[i];
    text_.begin_event();
    text_.put(FMT_COMPILE(R"({{"ph":"{}","name":)"), record.enqueued_only ? 'i' : 'X');
    text_.put_string(slice_name(record));
    text_.put(FMT_COMPILE(R"(,"cat":"{}","pid":{},"tid":{},"ts":)"), to_string(record.kind),
              record.rank, tid);
    text_.put_us(record.start_ns - base_ns_);
    if (record.enqueued_only) {
      text_.put(FMT_COMPILE(R"(,"s":"t")"));
    } else {
      text_.put(FMT_COMPILE(R"(,"dur":)"));
      text_.put_us(record.end_ns - record.start_ns);
    }
    write_arguments(record);
    text_.put(FMT_COMPILE("}}"));
    write_flow_end(i, tid);
  }

  void write_arguments(const timeline_record& record) {
    char separator = '{';
    const auto key = [&](std::string_view name) {
      if (separator == '{') text_.put(FMT_COMPILE(R"(,"args":)"));
      text_.put(FMT_COMPILE("{}\"{}\":"), separator, name);
      separator = ',';
    };
    const auto put_text = [&](std::string_view name, std::string_view value) {
      if (value.empty()) return;
      key(name);
      text_.put_string(value);
    };
    const auto put_number = [&](std::string_view name, auto value, bool known) {
      if (!known) return;
      key(name);
      text_.put(FMT_COMPILE("{}"), value);
    };
    put_text("tag", record.tag);
    put_number("peer", record.peer, record.peer >= 0);
    put_number("bytes", record.bytes, record.bytes != 0);
    const std::int64_t duration_ns = record.end_ns - record.start_ns;
    const bool copy =
        record.kind == record_kind::peer_copy || record.kind == record_kind::local_copy;
    if (copy && record.bytes != 0 && duration_ns > 0) {
      key("GB/s");
      text_.put(FMT_COMPILE("{:.3f}"),
                static_cast<double>(record.bytes) / static_cast<double>(duration_ns));
    }
    if (record.engine != record_engine::none) put_text("engine", to_string(record.engine));
    put_number("exchange", record.exchange, record.exchange != 0);
    put_text("scope", record.scope);
    if (record.enqueued_only) {
      key("enqueued");
      text_.put(FMT_COMPILE("true"));
    }
    if (separator != '{') text_.put(FMT_COMPILE("}}"));
  }

  /// Right behind its slice: the importer binds an arrow to the slice opened last on the track.
  void write_flow_end(std::size_t i, std::uint32_t tid) {
    const timeline_record& record = records_[i];
    if (record.operation == 0) return;
    const auto flow = flows_.find(flow_id(record));
    if (flow == flows_.end()) return;
    const bool starts = flow->second.submit == i;
    if (!starts && flow->second.first_work != i) return;
    text_.begin_event();
    text_.put(
        FMT_COMPILE(R"({{"ph":"{}","name":"submit","cat":"flow","id":{},"pid":{},"tid":{},"ts":)"),
        starts ? 's' : 'f', flow->first, record.rank, tid);
    text_.put_us(record.start_ns - base_ns_);
    if (!starts) text_.put(FMT_COMPILE(R"(,"bp":"e")"));
    text_.put(FMT_COMPILE("}}"));
  }

  chrome_text text_;
  std::span<const timeline_record> records_;
  std::int64_t base_ns_ = 0;
  std::vector<row_key> rows_;
  std::vector<std::size_t> order_;        ///< records by row, then by time
  std::vector<std::uint32_t> row_of_;     ///< by record
  std::vector<std::uint32_t> lane_of_;    ///< by record
  std::vector<std::uint32_t> first_tid_;  ///< by row, and one past the last
  std::unordered_map<std::uint64_t, flow_ends> flows_;
};

}  // namespace

void write_chrome_trace(std::ostream& out, std::span<const timeline_record> records,
                        const nlohmann::json& metadata) {
  if (!metadata.is_object()) throw std::invalid_argument("trace: the metadata is no JSON object");
  trace_writer(out, records).write(metadata);
}

void write_chrome_trace(const std::filesystem::path& path, std::span<const timeline_record> records,
                        const nlohmann::json& metadata) {
  write_chrome_file(path, [&](std::ostream& out) { write_chrome_trace(out, records, metadata); });
}

}  // namespace ithaca::traces
