#include "backend/peer_probe.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "backend/peer_memory.hpp"
#include "backend/signaller.hpp"

namespace ithaca {
namespace {

constexpr std::size_t probe_bytes = 4096;

/// What one rank finds out about another: as the one who writes, or as the one written to.
struct finding {
  std::string mapping, copy, stream_write, staged_copy;
};
constexpr std::string finding::*fields[] = {&finding::mapping, &finding::copy,
                                            &finding::stream_write, &finding::staged_copy};

/// Other bytes for every ordered pair.
std::vector<std::byte> pattern(int source, int target) {
  std::vector<std::byte> bytes(probe_bytes);
  auto state = static_cast<std::uint32_t>(source * 65'537 + target * 257 + 1);
  for (std::byte& each : bytes) {
    state = state * 1'664'525u + 1'013'904'223u;
    each = static_cast<std::byte>(state >> 24);
  }
  return bytes;
}

std::uint64_t token(int source, int target) {
  return 0x5157'0000'0000'0001ull + static_cast<std::uint64_t>(source * 65'536 + target);
}

/// The parts of a rank's page, each with one entry for every rank.
class probe_page {
 public:
  explicit probe_page(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

  std::size_t size_bytes() const { return ranks_ * (2 * probe_bytes + 3 * sizeof(std::uint64_t)); }
  std::byte* received(std::byte* page, int from) const { return page + at(from) * probe_bytes; }
  std::byte* sent(std::byte* page, int to) const { return page + (ranks_ + at(to)) * probe_bytes; }
  std::uint64_t* written(std::byte* page, int from) const { return words(page) + at(from); }
  std::uint64_t* staged(std::byte* page, int from) const { return words(page) + ranks_ + at(from); }
  std::uint64_t* slot(std::byte* page, int to) const { return words(page) + 2 * ranks_ + at(to); }

 private:
  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
  std::uint64_t* words(std::byte* page) const {
    return reinterpret_cast<std::uint64_t*>(page + 2 * ranks_ * probe_bytes);
  }

  std::size_t ranks_;
};

/// What is to arrive starts out wrong in every byte.
void fill(device& on, const probe_page& parts, std::byte* page, int rank, int ranks) {
  on.write(std::vector<std::byte>(parts.size_bytes()), page);
  for (int peer = 0; peer < ranks; ++peer) {
    std::vector<std::byte> wrong = pattern(peer, rank);
    std::ranges::transform(wrong, wrong.begin(), std::bit_not());
    on.write(wrong, parts.received(page, peer));
    on.write(pattern(rank, peer), parts.sent(page, peer));
  }
}

std::string failure_of(const std::function<void()>& step) {
  try {
    step();
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return "";
}

finding write_to(int peer, const group& among, device& on, const probe_page& parts,
                 const peer_memory& pages) {
  const int rank = among.rank();
  const auto line = on.create_stream("probe", stream_priority::high);
  std::byte* const theirs = pages.at(peer);
  const signaller staging(signal_kind::staged_copy, parts.slot(pages.mine(), peer));
  const signaller writing(signal_kind::stream_write, nullptr);
  finding found;
  const operation_label label{"", rank, 0};
  found.staged_copy = failure_of([&] {
    staging.signal(*line, std::array{peer_word{peer, parts.staged(theirs, rank)}},
                   token(rank, peer), label);
  });
  found.copy = failure_of([&] {
    line->copy({parts.sent(pages.mine(), peer), probe_bytes, parts.received(theirs, rank),
                probe_bytes, probe_bytes, 1, true},
               {"", peer, 0});
  });
  found.stream_write = failure_of([&] {
    writing.signal(*line, std::array{peer_word{peer, parts.written(theirs, rank)}},
                   token(rank, peer), label);
  });
  bool done = false;
  const std::string broken =
      failure_of([&] { done = line->synchronize(among.deadline(), among.watched().get()); });
  if (broken.empty() && !done) {
    throw exchange_broken("a write to rank " + std::to_string(peer) + " did not end");
  }
  if (!broken.empty()) {
    for (const auto field : {&finding::copy, &finding::stream_write, &finding::staged_copy}) {
      if ((found.*field).empty()) found.*field = broken;
    }
  }
  return found;
}

std::string why_not_signalled(device& on, const std::uint64_t* word, std::uint64_t expected) {
  std::uint64_t value = 0;
  on.read(reinterpret_cast<const std::byte*>(word), std::as_writable_bytes(std::span(&value, 1)));
  return value == expected ? "" : "the signal did not arrive";
}

finding read_from(int peer, int rank, device& on, const probe_page& parts, std::byte* page) {
  std::vector<std::byte> arrived(probe_bytes);
  if (!on.moves_bytes()) return {};
  on.read(parts.received(page, peer), arrived);
  const std::vector<std::byte> expected = pattern(peer, rank);
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < probe_bytes; ++at) wrong += arrived[at] != expected[at];
  finding found;
  if (wrong > 0) {
    found.copy = std::to_string(wrong) + " of " + std::to_string(probe_bytes) +
                 " copied bytes did not arrive";
  }
  found.stream_write = why_not_signalled(on, parts.written(page, peer), token(peer, rank));
  found.staged_copy = why_not_signalled(on, parts.staged(page, peer), token(peer, rank));
  return found;
}

/// Every rank's findings about every other.
std::vector<std::vector<finding>> gathered(group& among, const std::vector<finding>& mine) {
  std::string text;
  for (const finding& each : mine) {
    for (const auto field : fields) {
      std::string line = each.*field;
      std::ranges::replace(line, '\n', ' ');
      text += line + '\n';
    }
  }
  std::vector<std::vector<finding>> all;
  for (const std::string& told : among.all_gather_text(text)) {
    std::istringstream lines(told);
    std::vector<finding>& theirs = all.emplace_back(mine.size());
    for (finding& each : theirs) {
      for (const auto field : fields) std::getline(lines, each.*field);
    }
  }
  return all;
}

const std::string& first_of(const std::string& one, const std::string& other) {
  return one.empty() ? other : one;
}

}  // namespace

std::string probed_peers::why_not(std::string probed_pair::*what) const {
  std::size_t failed = 0;
  std::string first;
  for (const probed_pair& each : pairs) {
    if ((each.*what).empty() || ++failed > 1) continue;
    first = "from rank " + std::to_string(each.source) + " to rank " + std::to_string(each.target) +
            ": " + each.*what;
  }
  if (failed > 1)
    first += " (and " + std::to_string(failed - 1) + " more of " + std::to_string(pairs.size()) +
             " pairs)";
  return first;
}

probed_peers probe_peers(group& among, device& on, memory_sharing how) {
  const int rank = among.rank();
  const int ranks = among.size();
  const probe_page parts(ranks);
  std::shared_ptr<memory> page;
  run_together(among, [&] {
    page = on.allocate(parts.size_bytes(), how);
    fill(on, parts, page->data(), rank, ranks);
  });
  std::vector<finding> outgoing(static_cast<std::size_t>(ranks)), incoming(outgoing);
  std::vector<std::string> unmapped;
  for (const std::string& identity : among.all_gather_text(on.identity())) {
    unmapped.push_back(on.why_no_peer_access(identity));
  }
  const auto pages = peer_memory::where_possible(among, on, page, unmapped);
  run_together(among, [&] {
    for (int peer = 0; peer < ranks; ++peer) {
      finding& found = outgoing[static_cast<std::size_t>(peer)];
      const std::string& reason = unmapped[static_cast<std::size_t>(peer)];
      if (peer == rank) continue;
      found = reason.empty() ? write_to(peer, among, on, parts, pages)
                             : finding{reason, reason, reason, reason};
    }
  });
  // By now all that was written is there, or never will be.
  run_together(among, [&] {
    for (int peer = 0; peer < ranks; ++peer) {
      if (peer == rank) continue;
      incoming[static_cast<std::size_t>(peer)] = read_from(peer, rank, on, parts, page->data());
    }
  });
  const auto sent = gathered(among, outgoing);
  const auto received = gathered(among, incoming);
  probed_peers all;
  for (std::size_t source = 0; source < sent.size(); ++source) {
    for (std::size_t target = 0; target < sent.size(); ++target) {
      if (source == target) continue;
      const finding& out = sent[source][target];
      const finding& in = received[target][source];
      all.pairs.push_back({static_cast<int>(source), static_cast<int>(target), out.mapping,
                           first_of(out.copy, in.copy), first_of(out.stream_write, in.stream_write),
                           first_of(out.staged_copy, in.staged_copy)});
    }
  }
  return all;
}

}  // namespace ithaca
