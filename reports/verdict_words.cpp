#include "reports/verdict_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "reports/figures.hpp"
#include "reports/table_parts.hpp"

namespace ithaca::reports {
namespace {

constexpr const char* interference = "interference";
constexpr const char* what_interference_tells =
    "No arm is named the best: what slows a computation least may be the slowest exchange.";

bool is_exchange(const cell_key& of) { return of.schedule == "exchange"; }

std::string noise_words(const verdict& of) {
  return fmt::format("{:.3f} to {:.3f}", of.noise->low, of.noise->high);
}

std::string names(const std::vector<const cell*>& cells) {
  constexpr std::size_t named = 3;
  std::string text;
  for (std::size_t at = 0; at < std::min(cells.size(), named); ++at) {
    text += (at == 0 ? "" : ", ") + choice_name(*cells[at]);
  }
  if (cells.size() > named) text += fmt::format(" and {} more", cells.size() - named);
  return text;
}

/// What can't be told from the best, but for the reference, of which more is said.
std::string peers(const verdict& of) {
  std::vector<const cell*> others = of.as_quick;
  std::erase(others, of.reference);
  return others.empty() ? "" : fmt::format(" Not told from it: {}.", names(others));
}

std::string beside_others(const verdict& of) {
  if (of.cells.size() < 2 || of.outcome == finding::not_compared) {
    return "It is the reference, and nothing else could be compared with it.";
  }
  if (of.outcome == finding::quicker) {
    return fmt::format("It is the reference, and all others are slower, outside of the noise ({}).",
                       noise_words(of));
  }
  return "It is the reference." + peers(of);
}

/// Why the ratio decides nothing.
std::string undecided(const verdict& of, const interval& ratio) {
  if (ratio.low <= 1 && ratio.high >= 1) return "the interval holds 1";
  return fmt::format("the interval reaches into the noise ({})", noise_words(of));
}

std::string sentence_of(std::string words) {
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words + ".";
}

std::string outcome_words(const verdict& of, const metric& ratio) {
  switch (of.outcome) {
    case finding::quicker:
    case finding::slower:
      return fmt::format("outside of the noise ({})", noise_words(of));
    case finding::not_decided:
      return "not decided, as " + undecided(of, *ratio.ci95);
    case finding::not_compared:
      break;
  }
  return "not decided, as no arm was measured twice and the noise is not known";
}

}  // namespace

std::string scenario_name(const verdict& of) {
  const cell_key& key = of.cells.front()->key;
  std::string name = fmt::format("{} {} U{}", key.shape, key.dtype, key.degree);
  if (is_exchange(key)) name += " " + key.mode;
  if (key.command == interference) name += " beside " + key.schedule;
  return is_simulated(key) ? name + " simulated" : name;
}

std::string choice_name(const cell& of) {
  const cell_key& key = of.key;
  std::string name = key.mode == compute_only_mode         ? "computation only"
                     : key.mode == communication_only_mode ? key.arm + " alone"
                     : key.mode == exchange_beside_mode    ? key.arm + " beside it"
                                                           : key.arm;
  if (!is_exchange(key) && key.command != interference) name += " by " + key.schedule;
  return name;
}

std::string sentence(const verdict& of, const run_record& run) {
  if (of.best == nullptr || of.best == of.reference) return note(of);
  const metric* const ratio = find_metric(*of.best, "speedup");
  if (ratio == nullptr || !ratio->ci95) return note(of);
  return fmt::format("{} times as quick as {}, {}.{}", speedup(*of.best),
                     of.reference != nullptr ? choice_name(*of.reference)
                                             : run.reference_arm.value_or("the reference"),
                     outcome_words(of, *ratio), peers(of));
}

std::string note(const verdict& of) {
  if (of.cells.front()->key.command == interference) return what_interference_tells;
  if (of.best == nullptr) return "Nothing was measured that could be chosen.";
  if (of.best == of.reference) return beside_others(of);
  const metric* const ratio = find_metric(*of.best, "speedup");
  if (ratio == nullptr || !ratio->ci95) {
    return "Not decided, as it could not be compared with the reference." + peers(of);
  }
  if (of.outcome == finding::not_decided)
    return sentence_of(undecided(of, *ratio->ci95)) + peers(of);
  if (of.outcome == finding::not_compared) return "The noise is not known." + peers(of);
  const std::string others = peers(of);
  return others.empty() ? others : others.substr(1);
}

std::string headline(const std::vector<verdict>& judged, const run_record& run) {
  constexpr std::size_t named = 4;
  std::map<std::string, std::size_t> wins;
  std::size_t chosen = 0;
  std::size_t decided = 0;
  for (const verdict& each : judged) {
    if (each.best == nullptr) continue;
    ++chosen;
    decided += each.outcome == finding::quicker ? 1 : 0;
    std::set<std::string> arms = {each.best->key.arm};
    for (const cell* other : each.as_quick) arms.insert(other->key.arm);
    for (const std::string& arm : arms) ++wins[arm];
  }
  if (chosen == 0) {
    return run.command == interference ? what_interference_tells
                                       : "Nothing was measured that could be chosen.";
  }
  std::vector<std::pair<std::string, std::size_t>> ranked(wins.begin(), wins.end());
  std::ranges::stable_sort(ranked, std::ranges::greater{}, &decltype(ranked)::value_type::second);
  std::string text = "Quickest, or not told from it: ";
  for (std::size_t at = 0; at < std::min(ranked.size(), named); ++at) {
    text += fmt::format(
        "{}{} in {}{}", at == 0 ? "" : ", ", ranked[at].first, ranked[at].second,
        at == 0 ? fmt::format(" of {} scenario{}", chosen, chosen == 1 ? "" : "s") : std::string{});
  }
  if (ranked.size() > named) text += fmt::format(", {} more in fewer", ranked.size() - named);
  return fmt::format("{}. Decided against {}: {} of {}.", text,
                     run.reference_arm.value_or("the reference"), decided, chosen);
}

}  // namespace ithaca::reports
