#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/sim/finding.hpp"
#include "backend/sim/memory_map.hpp"
#include "backend/sim/name_table.hpp"
#include "backend/sim/sim_operation.hpp"

namespace ithaca::sim {

/// A host program or a stream, as stories name it.
struct party {
  static constexpr std::size_t most_remembered = 16;

  int rank = 0;
  std::string stream;    ///< empty: the host program
  int among_equals = 1;  ///< which of the rank's streams of that name
  std::array<operation_note, most_remembered> recent = {};  ///< a ring
  std::size_t count = 0;                                    ///< of all that it did
};

/// Judges every access and every signal by what its operation has heard of others, and tells the
/// story of what is wrong. Each pair of operations is told of once.
class checker {
 public:
  /// More findings than this tell nothing new.
  static constexpr std::size_t most_findings = 8;

  std::uint32_t add_party(int rank, std::string stream);
  name_table& names() { return names_; }

  /// An access of data by `by`, at `by.at`, which has heard `heard`. False if the memory is not
  /// there (any more): nothing may be moved.
  bool access(const declared_access& what, const operation_note& by, const vector_clock& heard);
  /// `by` writes `to`: a release.
  bool write(const signal& to, const operation_note& by, const vector_clock& heard);
  /// A wait for `of` has ended: `heard` hears what it is sure of.
  bool acquire(const signal& of, bool exactly, const operation_note& by, vector_clock& heard);
  /// The host program of `rank` lets go of its mapping of `gone`; the owner of all of it.
  void let_go(const allocation& gone, int rank, const operation_note& by,
              const vector_clock& heard);
  /// `enqueued` was enqueued and has not ended when the host program of `rank` let go of `gone`.
  void let_go_too_early(const allocation& gone, int rank, const operation_note& enqueued);

  void deadlock(std::string story);
  /// Nothing after this is the program's fault.
  void stop() { stopped_ = true; }

  const std::vector<finding>& findings() const { return findings_; }
  /// Kept for one allocation at a time.
  std::size_t most_accesses() const { return most_accesses_; }
  /// "copy_2d of q to rank 1 in exchange 2 on rank 0's stream "copy"".
  std::string describe(const operation_note& note) const;
  /// The same without who did it.
  std::string what_of(const operation_note& note) const;
  std::string describe_party(std::uint32_t party) const;
  static std::string describe(const allocation& memory);
  std::string describe(const word& at) const;

 private:
  void report(finding_kind kind, const operation_note& a, const operation_note& b,
              std::string story);
  bool there(const allocation* in, const operation_note& by, int rank, const char* verb);
  void conflict(const allocation& in, const access_history::conflict& with,
                const recorded_access& now, const vector_clock& heard);
  std::string missing_order(const operation_note& earlier, const operation_note& later,
                            const vector_clock& heard) const;
  void remember(const operation_note& note);

  name_table names_;
  std::vector<party> parties_;
  std::vector<finding> findings_;
  std::vector<std::string> told_;  // keys of pairs
  std::size_t most_accesses_ = 0;
  bool stopped_ = false;
};

}  // namespace ithaca::sim
