#include "reports/gate/baseline_file.hpp"

#include <fmt/format.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/nil_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <stdexcept>

#include "reports/json_file.hpp"
#include "reports/whole_file.hpp"

namespace ithaca::reports::gate {

std::string baseline_text(const baseline& from) { return to_json(from).dump(1) + "\n"; }

void write_baseline(const baseline& from, const std::filesystem::path& path) {
  write_whole_file(path, baseline_text(from));
}

baseline read_baseline(const std::filesystem::path& path) {
  const json parsed = read_json(path);
  try {
    return baseline_from_json(parsed);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{} is no baseline: {}", path.string(), error.what()));
  }
}

std::string content_id(const std::string& bytes) {
  const boost::uuids::name_generator_sha1 of_contents(boost::uuids::nil_uuid());
  return boost::uuids::to_string(of_contents(bytes));
}

}  // namespace ithaca::reports::gate
