// Boost's property trees write the XML: they come with what the host device needs anyway, and the
// few elements of JUnit are all that is wanted.
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "reports/gate/writers.hpp"

namespace ithaca::reports::gate {
namespace {

namespace pt = boost::property_tree;

struct test_case {
  std::string scenario;
  std::string name;
  std::vector<const finding*> findings = {};
};

/// XML 1.0 has no place for control characters, however they are written.
std::string printable(std::string text) {
  for (char& each : text) {
    if (static_cast<unsigned char>(each) < 0x20) each = ' ';
  }
  return text;
}

std::string scenario_of(const cell_key& key) {
  return key.command + "." + key.shape + "." + key.dtype + ".U" + std::to_string(key.degree);
}

std::string name_of(const cell_key& key, const std::string& what) {
  const std::string name = key.schedule + " " + key.arm + " " + key.mode;
  return what.empty() ? name : name + " " + what;
}

/// One for each comparison and noise floor, and for each finding beside those.
std::vector<test_case> cases_of(const result& of) {
  std::vector<test_case> cases = {{"ithaca-gate", "run"}};
  std::map<std::string, std::size_t> places;
  const auto place = [&](const cell_key& key, const std::string& what) -> test_case& {
    const auto [at, is_new] = places.emplace(to_string(key) + " " + what, cases.size());
    if (is_new) cases.push_back({scenario_of(key), name_of(key, what)});
    return cases[at->second];
  };
  for (const comparison& each : of.comparisons) place(each.seen.key, each.seen.metric);
  for (const noise_floor& each : of.noise_floors) place(each.key, "speedup");
  for (const finding& each : of.findings) {
    test_case& found = each.cell ? place(*each.cell, each.what) : cases.front();
    found.findings.push_back(&each);
  }
  return cases;
}

/// What CI shows as broken, as failed, or not at all.
const char* element_of(finding_kind kind) {
  switch (kind) {
    case finding_kind::invalid:
      return "error";
    case finding_kind::worse:
    case finding_kind::ambiguous:
      return "failure";
    default:
      return nullptr;
  }
}

pt::ptree element(const test_case& from, std::size_t& failures, std::size_t& errors) {
  pt::ptree to;
  to.put("<xmlattr>.classname", printable(from.scenario));
  to.put("<xmlattr>.name", printable(from.name));
  std::string said;
  for (const finding* each : from.findings) {
    const char* kind = element_of(each->kind);
    const std::string message =
        printable(std::string(to_string(each->kind)) + ": " + each->message);
    if (!kind) {
      said += message + "\n";
      continue;
    }
    ++(each->kind == finding_kind::invalid ? errors : failures);
    pt::ptree problem;
    problem.put("<xmlattr>.type", std::string(to_string(each->kind)));
    problem.put("<xmlattr>.message", message);
    to.add_child(kind, problem);
  }
  if (!said.empty()) to.put("system-out", said);
  return to;
}

}  // namespace

std::string as_junit(const result& of) {
  const std::vector<test_case> cases = cases_of(of);
  std::size_t failures = 0, errors = 0;
  std::vector<pt::ptree> elements;
  for (const test_case& each : cases) elements.push_back(element(each, failures, errors));
  pt::ptree suite;
  suite.put("<xmlattr>.name", "ithaca-gate " + std::string(to_string(verdict_of(of))));
  suite.put("<xmlattr>.tests", cases.size());
  suite.put("<xmlattr>.failures", failures);
  suite.put("<xmlattr>.errors", errors);
  for (const pt::ptree& each : elements) suite.add_child("testcase", each);
  pt::ptree root;
  root.add_child("testsuites.testsuite", suite);
  std::ostringstream text;
  pt::write_xml(text, root, pt::xml_writer_make_settings<std::string>(' ', 1));
  return text.str();
}

}  // namespace ithaca::reports::gate
