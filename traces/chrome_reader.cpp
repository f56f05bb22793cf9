#include "traces/chrome_reader.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "traces/json_builder.hpp"

namespace ithaca::traces {
namespace {

/// As deep as details may be: whoever writes them again does so by recursion.
constexpr std::size_t most_depth = 100;

constexpr std::size_t most_problems = 1000;

class event_handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  event_handler(chrome_details details, const std::function<void(chrome_event&)>& on_event)
      : details_(details), on_event_(on_event) {}

  chrome_frame take_frame() {
    if (frame_.problems.empty() && events_depth_ == 0) {
      frame_.problems.push_back(
          "the text is neither an array nor an object with an array traceEvents");
    }
    return std::move(frame_);
  }

  bool null() override { return take(nullptr, "?"); }
  bool boolean(bool value) override { return take(value, "?"); }
  bool number_integer(number_integer_t value) override {
    return take(value, fmt::format_int(value).c_str());
  }
  bool number_unsigned(number_unsigned_t value) override {
    return take(value, fmt::format_int(value).c_str());
  }
  bool number_float(number_float_t value, const string_t& written) override {
    return take(value, written);
  }
  bool string(string_t& value) override {
    if (in_events_ && depth_ == events_depth_ + 1 && field_ == "id") event_.id_is_text = true;
    return take(value, value);
  }
  bool binary(binary_t&) override { return false; }  // JSON text has none

  bool key(string_t& name) override {
    if (!builder_.empty()) builder_.key(name);
    if (depth_ == events_depth_ + 1)
      field_ = name;
    else if (depth_ == events_depth_ + 2)
      argument_ = name;
    if (depth_ == 1 && !in_events_) root_key_ = name;
    return true;
  }

  bool start_object(std::size_t) override { return begin(nlohmann::json::object()); }
  bool start_array(std::size_t) override { return begin(nlohmann::json::array()); }

  bool end_object() override {
    finish();
    if (in_events_ && depth_ == events_depth_ + 1) {
      on_event_(event_);
      ++event_.index;
    }
    --depth_;
    return true;
  }
  bool end_array() override {
    finish();
    if (in_events_ && depth_ == events_depth_) in_events_ = false;
    --depth_;
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // It quotes what it read last, which may be long.
    constexpr std::size_t most_length = 300;
    std::string what = error.what();
    if (what.size() > most_length) what = what.substr(0, most_length) + "...";
    frame_.problems.push_back("the text is no JSON: " + what);
    return false;
  }

 private:
  bool begin(nlohmann::json container) {
    const bool is_array = container.is_array();
    ++depth_;
    if (in_events_ && depth_ == events_depth_ + 1) {
      if (is_array) return report_no_object();
      clear_event();
    } else if (is_array && events_depth_ == 0 &&
               (depth_ == 1 || (depth_ == 2 && root_key_ == "traceEvents"))) {
      events_depth_ = depth_;
      in_events_ = true;
    }
    return keep(std::move(container));
  }

  /// Takes up a container of details, or one inside of them.
  bool keep(nlohmann::json container) {
    if (details_ == chrome_details::left_out) return true;
    const bool of_event = in_events_ && depth_ == events_depth_ + 2 && field_ == "args";
    const bool of_trace = !in_events_ && depth_ == 2 && root_key_ == "otherData";
    if (builder_.empty() && !of_event && !of_trace) return true;
    if (builder_.depth() == most_depth) {
      frame_.problems.push_back(fmt::format(
          "{} is more than {} levels deep",
          in_events_ ? fmt::format("event {} (\"{}\")", event_.index, event_.name) : "otherData",
          most_depth));
      return false;
    }
    builder_.open(std::move(container));
    return true;
  }

  void finish() {
    if (builder_.empty() || !builder_.close()) return;
    (in_events_ ? event_.arguments : frame_.other_data) = builder_.take();
  }

  template <class Value>
  bool take(const Value& value, std::string_view text) {
    if (!builder_.empty()) builder_.add(value);
    if (!in_events_) return true;
    if (depth_ == events_depth_) return report_no_object();
    if (depth_ == events_depth_ + 1) {
      if (std::string* const field = field_of_event()) *field = text;
    } else if (depth_ == events_depth_ + 2 && field_ == "args") {
      constexpr bool is_number = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;
      ++(is_number ? event_.numbers : event_.others);
      if (argument_ == "name") event_.named = text;
    }
    return true;
  }

  /// Whether it is worth to read on.
  bool report_no_object() {
    frame_.problems.push_back(fmt::format("event {} is no object", event_.index));
    ++event_.index;
    if (frame_.problems.size() < most_problems) return true;
    frame_.problems.push_back("and the rest was not read");
    return false;
  }

  /// Keeps what the texts have allocated.
  void clear_event() {
    for (std::string* const each :
         {&event_.phase, &event_.name, &event_.category, &event_.ts, &event_.dur, &event_.pid,
          &event_.tid, &event_.id, &event_.binding, &event_.instant_scope, &event_.named}) {
      each->clear();
    }
    event_.id_is_text = false;
    event_.numbers = event_.others = 0;
    event_.arguments = nullptr;
  }

  std::string* field_of_event() {
    if (field_ == "ph") return &event_.phase;
    if (field_ == "name") return &event_.name;
    if (field_ == "cat") return &event_.category;
    if (field_ == "ts") return &event_.ts;
    if (field_ == "dur") return &event_.dur;
    if (field_ == "pid") return &event_.pid;
    if (field_ == "tid") return &event_.tid;
    if (field_ == "id") return &event_.id;
    if (field_ == "bp") return &event_.binding;
    if (field_ == "s") return &event_.instant_scope;
    return nullptr;
  }

  const chrome_details details_;
  const std::function<void(chrome_event&)>& on_event_;
  chrome_frame frame_;
  chrome_event event_;
  json_builder builder_;
  std::string root_key_;
  std::string field_;
  std::string argument_;
  std::size_t depth_ = 0;
  std::size_t events_depth_ = 0;  ///< of the array of events; 0 before it began
  bool in_events_ = false;
};

}  // namespace

chrome_frame read_chrome_events(std::string_view trace, chrome_details details,
                                const std::function<void(chrome_event&)>& on_event) {
  event_handler handler(details, on_event);
  nlohmann::json::sax_parse(trace.begin(), trace.end(), &handler);
  return handler.take_frame();
}

}  // namespace ithaca::traces
