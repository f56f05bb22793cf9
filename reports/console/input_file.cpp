#include "reports/console/input_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#ifdef ITHACA_WITH_ZLIB
#include <zlib.h>

#include <algorithm>
#endif

namespace ithaca::console {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, std::string_view why) {
  throw std::invalid_argument(fmt::format("{}: {}", file.string(), why));
}

[[noreturn]] void refuse_size(const fs::path& file, std::string_view what, std::size_t most_bytes) {
  refuse(file, fmt::format("{} more than {} bytes, the most that is read", what, most_bytes));
}

std::string read_bytes(const fs::path& file, std::size_t most_bytes) {
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (status.type() == fs::file_type::not_found) refuse(file, "there is no such file");
  if (failure) refuse(file, "can't be read: " + failure.message());
  if (fs::is_directory(status)) refuse(file, "is a folder: give a file in it");
  // To open a named pipe may wait for ever.
  if (!fs::is_regular_file(status)) refuse(file, "is no regular file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, "can't be read: " + std::generic_category().message(errno));
  // Its size is a hint: a file of the kernel's has none, and another may grow.
  std::string bytes;
  constexpr std::size_t step_bytes = std::size_t{1} << 22;
  const std::uintmax_t size = fs::file_size(file, failure);
  if (!failure && size <= most_bytes) bytes.reserve(static_cast<std::size_t>(size) + step_bytes);
  do {
    const std::size_t so_far = bytes.size();
    bytes.resize(so_far + step_bytes);
    in.read(bytes.data() + so_far, step_bytes);
    bytes.resize(so_far + static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > most_bytes) refuse_size(file, "holds", most_bytes);
  } while (in);
  if (in.bad()) refuse(file, "can't be read to its end");
  return bytes;
}

#ifdef ITHACA_WITH_ZLIB

/// One inflation, of one gzip member after the other.
class inflation {
 public:
  explicit inflation(std::string_view packed) : rest_(packed) {
    // 15: the largest window; + 16: gzip's frame, nothing else.
    ready_ = ::inflateInit2(&state_, 15 + 16) == Z_OK;
  }
  ~inflation() {
    if (ready_) ::inflateEnd(&state_);
  }
  inflation(const inflation&) = delete;
  inflation& operator=(const inflation&) = delete;

  bool ready() const { return ready_; }
  /// Whether every byte has been taken, up to the end of a member.
  bool finished() const { return ended_ && rest_.empty(); }

  /// Appends at most `most_bytes` to `text`; zlib's word for how it went.
  int step(std::string& text, std::size_t most_bytes) {
    if (ended_) {
      if (::inflateReset(&state_) != Z_OK) return Z_STREAM_ERROR;
      ended_ = false;
    }
    constexpr std::size_t most_at_once = std::size_t{1} << 30;  // zlib counts in unsigned int
    const std::size_t given = std::min(rest_.size(), most_at_once);
    const std::size_t so_far = text.size();
    text.resize(so_far + most_bytes);
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
    state_.avail_in = static_cast<uInt>(given);
    state_.next_out = reinterpret_cast<Bytef*>(text.data() + so_far);
    state_.avail_out = static_cast<uInt>(most_bytes);
    const int status = ::inflate(&state_, Z_NO_FLUSH);
    rest_.remove_prefix(given - state_.avail_in);
    text.resize(so_far + most_bytes - state_.avail_out);
    ended_ = status == Z_STREAM_END;
    return status;
  }

 private:
  std::string_view rest_;
  z_stream state_{};
  bool ready_ = false;
  bool ended_ = false;
};

std::string unpacked(const fs::path& file, std::string_view packed, std::size_t most_bytes) {
  inflation stream(packed);
  if (!stream.ready()) refuse(file, "can't be unpacked: zlib did not start");
  std::string text;
  constexpr std::size_t step_bytes = std::size_t{1} << 22;
  while (!stream.finished()) {
    const int status = stream.step(text, step_bytes);
    if (text.size() > most_bytes) refuse_size(file, "unpacks to", most_bytes);
    if (status == Z_BUF_ERROR) {
      refuse(file, fmt::format("its gzip stream ends too early, after {} bytes", text.size()));
    }
    if (status != Z_OK && status != Z_STREAM_END) {
      refuse(file, fmt::format("its gzip stream is damaged, after {} bytes", text.size()));
    }
  }
  return text;
}

#else

std::string unpacked(const fs::path& file, std::string_view, std::size_t) {
  refuse(file, "is packed by gzip, and this build has no zlib: unpack it, or build with zlib");
}

#endif

}  // namespace

std::string read_input(const fs::path& file, std::size_t most_bytes) {
  std::string bytes = read_bytes(file, most_bytes);
  if (bytes.starts_with("\x1f\x8b")) bytes = unpacked(file, bytes, most_bytes);
  if (bytes.find('\0') != std::string::npos) refuse(file, "holds a NUL byte, so it is no text");
  return bytes;
}

void refuse_overwriting(const fs::path& output, std::span<const std::string> inputs) {
  std::error_code none;
  for (const std::string& input : inputs) {
    if (fs::equivalent(output, input, none)) {
      refuse(output, "is one of the inputs: name another file to write");
    }
  }
}

}  // namespace ithaca::console
