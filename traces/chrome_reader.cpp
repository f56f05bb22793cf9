#include "traces/chrome_reader.hpp"

#include <fmt/core.h>

#include <istream>
#include <nlohmann/json.hpp>
#include <string_view>

namespace ithaca::traces {
namespace {

class event_handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit event_handler(const std::function<void(const chrome_event&)>& on_event)
      : on_event_(on_event) {}

  std::vector<std::string> take_problems() {
    if (problems_.empty() && events_depth_ == 0) {
      problems_.push_back("the text is neither an array nor an object with an array traceEvents");
    }
    return std::move(problems_);
  }

  bool null() override { return take_value("?"); }
  bool boolean(bool) override { return take_value("?"); }
  bool number_integer(number_integer_t value) override {
    return take_value(fmt::format("{}", value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return take_value(fmt::format("{}", value));
  }
  bool number_float(number_float_t, const string_t& written) override {
    return take_value(written);
  }
  bool string(string_t& value) override { return take_value(value); }
  bool binary(binary_t&) override { return take_value("?"); }

  bool key(string_t& name) override {
    if (depth_ == events_depth_ + 1)
      field_ = name;
    else if (depth_ == events_depth_ + 2)
      argument_ = name;
    if (depth_ == 1 && events_depth_ == 0) root_key_ = name;
    return true;
  }

  bool start_object(std::size_t) override {
    ++depth_;
    if (inside_events() && depth_ == events_depth_ + 1) {
      const std::size_t index = event_.index;
      event_ = {};
      event_.index = index;
    }
    return true;
  }
  bool end_object() override {
    if (inside_events() && depth_ == events_depth_ + 1) {
      on_event_(event_);
      ++event_.index;
    }
    --depth_;
    return true;
  }

  bool start_array(std::size_t) override {
    ++depth_;
    const bool bare = depth_ == 1;
    const bool member = depth_ == 2 && root_key_ == "traceEvents";
    if (events_depth_ == 0 && (bare || member)) {
      events_depth_ = depth_;
      in_events_ = true;
    } else if (inside_events() && depth_ == events_depth_ + 1) {
      report_no_object();
    }
    return true;
  }
  bool end_array() override {
    if (inside_events() && depth_ == events_depth_) in_events_ = false;
    --depth_;
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    problems_.push_back(fmt::format("the text is no JSON: {}", error.what()));
    return false;
  }

 private:
  bool inside_events() const { return in_events_; }

  void report_no_object() {
    problems_.push_back(fmt::format("event {} is no object", event_.index));
    ++event_.index;
  }

  bool take_value(std::string_view value) {
    if (!inside_events()) return true;
    if (depth_ == events_depth_) {
      report_no_object();
    } else if (depth_ == events_depth_ + 1) {
      if (std::string* const field = field_of_event()) *field = value;
    } else if (depth_ == events_depth_ + 2 && field_ == "args" && argument_ == "name") {
      event_.named = value;
    }
    return true;
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

  const std::function<void(const chrome_event&)>& on_event_;
  std::vector<std::string> problems_;
  chrome_event event_;
  std::string root_key_;
  std::string field_;
  std::string argument_;
  std::size_t depth_ = 0;
  std::size_t events_depth_ = 0;  ///< of the array of events; 0 before it began
  bool in_events_ = false;
};

}  // namespace

std::vector<std::string> read_chrome_events(
    std::istream& trace, const std::function<void(const chrome_event&)>& on_event) {
  event_handler handler(on_event);
  nlohmann::json::sax_parse(trace, &handler);
  return handler.take_problems();
}

}  // namespace ithaca::traces
