#include "traces/kernel_name.hpp"

#include <cxxabi.h>

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace ithaca::traces {
namespace {

std::string demangled(std::string_view name) {
  std::string text(name);
  if (!name.starts_with("_Z")) return text;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && plain ? std::string(plain.get()) : text;
}

/// One past the bracket that closes the one at `open`. Angle brackets inside parentheses are
/// operators, not brackets.
std::size_t after_group(std::string_view text, std::size_t open) {
  std::string closers;
  for (std::size_t at = open; at < text.size(); ++at) {
    const bool in_angles = closers.empty() || closers.back() == '>';
    switch (text[at]) {
      case '(':
        closers += ')';
        break;
      case '{':
        closers += '}';
        break;
      case '<':
        if (in_angles) closers += '>';
        break;
      case ')':
      case '}':
      case '>':
        if (closers.back() == text[at]) closers.pop_back();
        break;
      default:
        break;
    }
    if (closers.empty()) return at + 1;
  }
  return text.size();
}

}  // namespace

std::string unqualified_kernel_name(std::string_view name) {
  const std::string text = demangled(name);
  const std::string_view view = text;

  std::size_t first = 0;                      // of the component being read
  std::size_t last = std::string_view::npos;  // its end, once arguments followed
  const auto start_component = [&](std::size_t at) {
    first = at;
    last = std::string_view::npos;
  };
  for (std::size_t at = 0; at < view.size();) {
    const std::string_view rest = view.substr(at);
    if (at == first && rest.starts_with("operator()")) {
      at += std::string_view("operator()").size();
    } else if (rest.starts_with("::")) {
      at += 2;
      start_component(at);
    } else if (rest[0] == '<' || rest[0] == '(') {
      if (last == std::string_view::npos) last = at;
      const std::size_t next = after_group(view, at);
      // Parameters end the name, unless they are an enclosing function's, or no parameters at all:
      // "(anonymous namespace)".
      if (rest[0] == '(' && !view.substr(next).starts_with("::")) break;
      at = next;
    } else if (rest[0] == '{') {
      at = after_group(view, at);
    } else if (rest[0] == ' ') {
      ++at;
      start_component(at);  // what came before was the return type
    } else {
      ++at;
    }
  }
  return std::string(view.substr(first, last == std::string_view::npos ? last : last - first));
}

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;  // where the latest star's match ends so far
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace ithaca::traces
