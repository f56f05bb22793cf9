#pragma once

#include <string>
#include <string_view>

namespace ithaca::traces {

/// The function's own name out of a kernel's name, mangled or demangled: without return type,
/// namespaces, template arguments and parameters. A name that is already plain stays as it is.
std::string unqualified_kernel_name(std::string_view name);

/// Whether `name` is `pattern`, in which each `*` stands for any characters, or none.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace ithaca::traces
