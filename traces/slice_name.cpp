#include "traces/slice_name.hpp"

#include <fmt/core.h>

#include <initializer_list>
#include <string_view>

namespace ithaca::traces {
namespace {

/// Words with a space between each two; empty ones are left out.
std::string joined(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (word.empty()) continue;
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

std::string peer_text(const timeline_record& record, std::string_view arrow) {
  return record.peer < 0 ? std::string() : fmt::format("{} rank {}", arrow, record.peer);
}

}  // namespace

std::string slice_name(const timeline_record& record) {
  const std::string_view what = record.tag.empty() ? record.name : record.tag;
  switch (record.kind) {
    case record_kind::peer_copy:
      return joined({what, peer_text(record, "->")});
    case record_kind::local_copy:
      if (record.peer == record.rank) return joined({what, "own chunk"});
      return joined({record.tag, record.name});
    case record_kind::signal_write:
      return joined({"signal", record.tag, peer_text(record, "->")});
    case record_kind::signal_wait:
      return joined({"wait", record.tag, peer_text(record, "<-")});
    case record_kind::submit:
      return joined({"submit", record.name, record.tag, peer_text(record, "->")});
    case record_kind::memset:
    case record_kind::kernel:
    case record_kind::range:
      break;
  }
  return record.name.empty() ? std::string(to_string(record.kind)) : record.name;
}

}  // namespace ithaca::traces
