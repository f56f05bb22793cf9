#pragma once

#include <string_view>

/// The files that a page is made of, put into the program by `embed.cmake`.
namespace ithaca::reports::page_assets {

extern const std::string_view form;     ///< page.html
extern const std::string_view style;    ///< page.css
extern const std::string_view script;   ///< script/*.js, one behind the other
extern const std::string_view library;  ///< Chart.js; empty if the build did not find it

}  // namespace ithaca::reports::page_assets
