#include "reports/page/html_page.hpp"

#include <map>
#include <string_view>

#include "reports/page/assets.hpp"
#include "reports/page/page_data.hpp"
#include "reports/whole_file.hpp"

namespace ithaca::reports {
namespace {

/// In JSON "<" stands in texts only, and must not end the script that holds them.
std::string escaped(const std::string& json_text) {
  std::string safe;
  safe.reserve(json_text.size());
  for (const char each : json_text) {
    if (each == '<')
      safe += "\\u003c";
    else
      safe += each;
  }
  return safe;
}

/// `form` with each {{name}} replaced by what `parts` has under that name.
std::string filled(std::string_view form,
                   const std::map<std::string_view, std::string_view>& parts) {
  std::string text;
  for (std::size_t at = 0;;) {
    const std::size_t begin = form.find("{{", at);
    text += form.substr(at, begin - at);
    if (begin == std::string_view::npos) return text;
    const std::size_t end = form.find("}}", begin);
    text += parts.at(form.substr(begin + 2, end - begin - 2));
    at = end + 2;
  }
}

}  // namespace

std::string html_page(std::span<const report> reports) {
  // Kernel names and the environment may hold any bytes; JSON is UTF-8.
  constexpr auto on_foreign_bytes = json::error_handler_t::replace;
  const std::string data = escaped(page_data(reports).dump(-1, ' ', false, on_foreign_bytes));
  return filled(page_assets::form, {{"style", page_assets::style},
                                    {"library", page_assets::library},
                                    {"script", page_assets::script},
                                    {"data", data}});
}

void write_html_page(std::span<const report> reports, const std::filesystem::path& path) {
  write_whole_file(path, html_page(reports));
}

}  // namespace ithaca::reports
