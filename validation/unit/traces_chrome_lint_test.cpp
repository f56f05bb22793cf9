#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "traces/chrome_lint.hpp"

namespace ithaca::traces {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> lint_text(const std::string& text) { return lint(text).messages; }

/// A sound trace with the given events after its own: three names (events 0 to 2), two slices
/// (3 and 4), an arrow between them (5 and 6).
std::vector<std::string> lint_events(const std::string& more) {
  return lint_text(R"({"otherData":{"traceEvents":"not these"},"traceEvents":[
    {"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"rank 0"}},
    {"ph":"M","name":"thread_name","pid":0,"tid":1,"args":{"name":"host"}},
    {"ph":"M","name":"thread_name","pid":0,"tid":2,"args":{"name":"copy"}},
    {"ph":"X","name":"submit","pid":0,"tid":1,"ts":10.000,"dur":5.000,"args":{"name":[{"ts":-1}]}},
    {"ph":"X","name":"copy","pid":0,"tid":2,"ts":20.5,"dur":10},
    {"ph":"s","name":"submit","cat":"flow","id":1,"pid":0,"tid":1,"ts":10.000},
    {"ph":"f","bp":"e","name":"submit","cat":"flow","id":1,"pid":0,"tid":2,"ts":20.500})" +
                   (more.empty() ? "" : "," + more) + "],\"last\":[1]}");
}

TEST(chrome_lint, finds_nothing_in_a_sound_trace) {
  EXPECT_THAT(lint_events(""), IsEmpty());
  EXPECT_THAT(lint_text("[]"), IsEmpty()) << "the bare array is a trace, too";
}

TEST(chrome_lint, says_where_the_text_is_broken) {
  EXPECT_THAT(lint_text("{\"traceEvents\":[\n{\"ph\":\"M\",}]}"),
              ElementsAre(AllOf(HasSubstr("no JSON"), HasSubstr("line 2"))));
  EXPECT_THAT(lint_text(""), ElementsAre(HasSubstr("no JSON")));
  EXPECT_THAT(lint_text("{\"traceEvents\":[]"), ElementsAre(HasSubstr("no JSON")));
  EXPECT_THAT(lint_text("{\"traceEvents\":[]} {}"), ElementsAre(HasSubstr("no JSON")));
  EXPECT_THAT(lint_text("{\"events\":[]}"), ElementsAre(HasSubstr("traceEvents")));
  EXPECT_THAT(lint_text("{\"deep\":{\"traceEvents\":[]}}"), ElementsAre(HasSubstr("traceEvents")));
  EXPECT_THAT(lint_text(R"({"traceEvents":{"x":[{"ph":"M"}]}})"),
              ElementsAre(HasSubstr("traceEvents")));
  EXPECT_THAT(lint_text("7"), ElementsAre(HasSubstr("traceEvents")));
  EXPECT_THAT(lint_events("7"), ElementsAre("event 7 is no object"));
  EXPECT_THAT(lint_events("[]"), ElementsAre("event 7 is no object"));
}

TEST(chrome_lint, holds_times_to_nanoseconds) {
  const auto at = [](const std::string& ts, const std::string& dur) {
    return lint_events(R"({"ph":"X","name":"a","pid":0,"tid":1,)" +
                       (ts.empty() ? "" : "\"ts\":" + ts + ",") + "\"dur\":" + dur + "}");
  };
  EXPECT_THAT(at("100.123", "0.001"), IsEmpty());
  EXPECT_THAT(at("100.1234", "1"),
              ElementsAre("event 7 (\"a\") has a ts that has more than three decimals: 100.1234"));
  EXPECT_THAT(at("100", "1.0001"), ElementsAre(HasSubstr("dur that has more than three")));
  EXPECT_THAT(at("-1", "1"), ElementsAre(HasSubstr("ts that is negative")));
  EXPECT_THAT(at("-0.5", "1"), ElementsAre(HasSubstr("ts that is negative")));
  EXPECT_THAT(at("100", "-1"), ElementsAre(HasSubstr("dur that is negative")));
  EXPECT_THAT(at("1e2", "1"), ElementsAre(HasSubstr("no plain decimal")));
  EXPECT_THAT(at("\"now\"", "1"), ElementsAre(HasSubstr("no plain decimal")));
  EXPECT_THAT(at("null", "1"), ElementsAre(HasSubstr("no plain decimal")));
  EXPECT_THAT(at("9223372036854775807", "1"), ElementsAre(HasSubstr("no plain decimal")));
  EXPECT_THAT(at("", "1"), ElementsAre(HasSubstr("ts that is missing")));
}

TEST(chrome_lint, holds_ids_to_small_unsigned_integers) {
  const auto on = [](const std::string& pid, const std::string& tid) {
    return lint_events(R"({"ph":"X","name":"a","ts":100,"dur":1,"pid":)" + pid + ",\"tid\":" + tid +
                       "}");
  };
  EXPECT_THAT(on("-1", "1"), ElementsAre(HasSubstr("has the pid -1")));
  EXPECT_THAT(on("0", "1.5"), ElementsAre(HasSubstr("has the tid 1.5")));
  EXPECT_THAT(on("0", "\"stream\""), ElementsAre(HasSubstr("has the tid stream")));
  EXPECT_THAT(on("0", "4294967296"), ElementsAre(HasSubstr("has the tid 4294967296")));
  EXPECT_THAT(on("2147483648", "1"), ElementsAre(HasSubstr("has the pid 2147483648")));
  EXPECT_THAT(lint_events(R"({"ph":"X","name":"a","ts":100,"dur":1,"pid":0})"),
              ElementsAre(HasSubstr("has the tid ,")));
}

TEST(chrome_lint, wants_a_name_for_every_process_and_thread) {
  EXPECT_THAT(lint_events(R"({"ph":"i","s":"t","name":"a","ts":1,"pid":0,"tid":3})"),
              ElementsAre("tid 3 of pid 0 has no thread_name"));
  EXPECT_THAT(lint_events(R"({"ph":"i","s":"t","name":"a","ts":1,"pid":4,"tid":1})"),
              ElementsAre("pid 4 has no process_name", "tid 1 of pid 4 has no thread_name"));
  EXPECT_THAT(lint_events(R"({"ph":"M","name":"thread_name","pid":0,"tid":1,"args":{"name":""}})"),
              ElementsAre(HasSubstr("empty name")));
  EXPECT_THAT(lint_events(R"({"ph":"M","name":"thread_name","pid":0,"tid":1,"x":{"name":"y"}})"),
              ElementsAre(HasSubstr("empty name")));
  EXPECT_THAT(lint_events(R"({"ph":"M","name":"process_name","pid":"x","args":{"name":"y"}})"),
              ElementsAre(HasSubstr("names a pid")));
  EXPECT_THAT(lint_events(R"({"ph":"X","ts":100,"dur":1,"pid":0,"tid":1})"),
              ElementsAre(HasSubstr("has no name")));
}

TEST(chrome_lint, finds_slices_that_overlap_partly) {
  EXPECT_THAT(lint_events(R"({"ph":"X","name":"b","pid":0,"tid":2,"ts":30.499,"dur":1})"),
              ElementsAre("event 7 (\"b\") partly overlaps event 4 (\"copy\") on tid 2 of pid 0"));
  EXPECT_THAT(lint_events(R"({"ph":"X","name":"b","pid":0,"tid":2,"ts":19,"dur":2})"),
              ElementsAre(HasSubstr("event 4 (\"copy\") partly overlaps event 7 (\"b\")")));
  // Apart, nested, equal, and on another track.
  EXPECT_THAT(lint_events(R"({"ph":"X","name":"b","pid":0,"tid":2,"ts":30.500,"dur":1})"),
              IsEmpty());
  EXPECT_THAT(lint_events(R"({"ph":"X","name":"b","pid":0,"tid":2,"ts":21,"dur":9.5})"), IsEmpty());
  EXPECT_THAT(lint_events(R"({"ph":"X","name":"b","pid":0,"tid":2,"ts":20.5,"dur":10})"),
              IsEmpty());
  EXPECT_THAT(lint_events(R"({"ph":"X","name":"b","pid":0,"tid":1,"ts":30,"dur":1})"), IsEmpty());
  EXPECT_THAT(lint_events(R"({"ph":"X","name":"b","pid":0,"tid":2,"ts":20.5,"dur":20})"),
              IsEmpty());
}

TEST(chrome_lint, wants_arrows_with_two_ends_in_order) {
  const auto end = [](const std::string& fields) {
    return R"(,{"name":"submit","cat":"flow","pid":0,)" + fields + "}";
  };
  const auto both = [&](const std::string& start, const std::string& finish) {
    return lint_events((end("\"ph\":\"s\"," + start) + end("\"ph\":\"f\"," + finish)).substr(1));
  };
  EXPECT_THAT(both(R"("id":2,"tid":1,"ts":12)", R"("id":2,"bp":"e","tid":2,"ts":30.5)"), IsEmpty());
  EXPECT_THAT(both(R"("id":2,"tid":1,"ts":12)", R"("id":2,"tid":2,"ts":30)"),
              ElementsAre("event 8 (\"submit\") ends an arrow without bp \"e\""));
  EXPECT_THAT(both(R"("id":2,"tid":2,"ts":30)", R"("id":2,"bp":"e","tid":1,"ts":12)"),
              ElementsAre(HasSubstr("before its start")));
  EXPECT_THAT(both(R"("id":1,"tid":1,"ts":12)", R"("id":1,"bp":"e","tid":2,"ts":30)"),
              ElementsAre(HasSubstr("repeats phase s of arrow 1"),
                          HasSubstr("repeats phase f of arrow 1")));
  EXPECT_THAT(both(R"("id":2,"tid":1,"ts":16)", R"("id":2,"bp":"e","tid":2,"ts":20.499)"),
              ElementsAre("event 7 (\"submit\") is an arrow's end on no slice",
                          "event 8 (\"submit\") is an arrow's end on no slice"));
  EXPECT_THAT(both(R"("id":2,"tid":1,"ts":11)", R"("id":2,"bp":"e","tid":2,"ts":12)"),
              ElementsAre("event 8 (\"submit\") is an arrow's end on no slice"))
      << "only the other track has a slice then";
  EXPECT_THAT(lint_events(R"({"ph":"X","name":"inner","pid":0,"tid":2,"ts":21,"dur":1})" +
                          end(R"("ph":"s","id":2,"tid":1,"ts":12)") +
                          end(R"("ph":"f","id":2,"bp":"e","tid":2,"ts":25)")),
              IsEmpty())
      << "the outer slice is still open";
  EXPECT_THAT(both(R"("tid":1,"ts":12)", R"("bp":"e","tid":2,"ts":30)"),
              ElementsAre(HasSubstr("without an id"), HasSubstr("without an id")));
  EXPECT_THAT(both(R"("id":2,"tid":1,"ts":12)", R"("id":3,"bp":"e","tid":2,"ts":30)"),
              ElementsAre(HasSubstr("event 7 (\"submit\") starts an arrow that has no end"),
                          HasSubstr("event 8 (\"submit\") ends an arrow that has no start")));
}

TEST(chrome_lint, wants_a_scope_for_an_instant_and_a_phase_that_it_knows) {
  EXPECT_THAT(lint_events(R"({"ph":"i","name":"a","ts":1,"pid":0,"tid":1})"),
              ElementsAre(HasSubstr("instant without a scope")));
  EXPECT_THAT(lint_events(R"({"ph":"B","name":"a","ts":1,"pid":0,"tid":1})"),
              ElementsAre("event 7 (\"a\") has the phase \"B\", which no rule covers"));
  EXPECT_THAT(lint_events(R"({"name":"a","ts":1,"pid":0,"tid":1})"),
              ElementsAre(HasSubstr("phase \"\"")));
}

TEST(chrome_lint, wants_times_that_a_double_keeps) {
  const auto at = [](const std::string& ts) {
    return lint_events(R"({"ph":"X","name":"a","pid":0,"tid":1,"dur":1,"ts":)" + ts + "}");
  };
  EXPECT_THAT(at("4503599627370.496"), IsEmpty());
  EXPECT_THAT(at("4503599627370.497"), ElementsAre(HasSubstr("too large to keep its nanoseconds")));
}

TEST(chrome_lint, wants_ids_of_arrows_that_an_importer_takes) {
  const auto with = [](const std::string& start, const std::string& end) {
    const std::string fields = R"("name":"submit","cat":"flow","pid":0,)";
    return lint_events("{\"ph\":\"s\",\"tid\":1,\"ts\":12," + fields + "\"id\":" + start +
                       "},{\"ph\":\"f\",\"bp\":\"e\",\"tid\":2,\"ts\":30," + fields +
                       "\"id\":" + end + "}");
  };
  EXPECT_THAT(with("9223372036854775807", "9223372036854775807"), IsEmpty());
  EXPECT_THAT(with("\"0x1f\"", "\"1F\""), IsEmpty());
  EXPECT_THAT(with("\"1f\"", "31"), IsEmpty());
  EXPECT_THAT(with("\"12\"", "12"), ElementsAre(HasSubstr("no end"), HasSubstr("no start")))
      << "a text is hexadecimal";
  for (const char* wrong : {"9223372036854775808", "-2", "1.5", "\"word\"", "\"0x\"", "true"}) {
    EXPECT_THAT(with(wrong, wrong), ElementsAre(HasSubstr("has the id"), HasSubstr("has the id")))
        << wrong;
  }
}

TEST(chrome_lint, wants_numbers_in_counters) {
  const auto counter = [](const std::string& more) {
    return lint_events(R"({"ph":"C","name":"a","ts":1,"pid":0,"tid":1)" + more + "}");
  };
  EXPECT_THAT(counter(R"(,"args":{"a":1,"b":2.5})"), IsEmpty());
  for (const char* wrong : {"", R"(,"args":{})", R"(,"args":{"a":1,"b":"x"})", R"(,"args":7)"}) {
    EXPECT_THAT(counter(wrong), ElementsAre(HasSubstr("not all numbers"))) << wrong;
  }
}

TEST(chrome_lint, says_whether_the_text_is_a_trace) {
  EXPECT_TRUE(lint("{}").broken);
  EXPECT_TRUE(lint("{\"traceEvents\":[{\"ph\":\"M\"}").broken);
  EXPECT_TRUE(lint("{\"traceEvents\":[{\"ts\":NaN}]}").broken);
  EXPECT_TRUE(lint("[7]").broken);
  EXPECT_FALSE(lint("[{}]").broken);
}

TEST(chrome_lint, gives_up_on_what_is_all_no_event) {
  std::string many = "[7";
  for (int i = 0; i < 100'000; ++i) many += ",7";
  EXPECT_EQ(lint(many + "]").messages.back(), "and 901 more");
}

TEST(chrome_lint, stops_listing_after_a_hundred_messages) {
  std::string many;
  for (int i = 0; i < 150; ++i) many += (i ? ",7" : "7");
  const auto messages = lint_events(many);
  ASSERT_EQ(messages.size(), 101u);
  EXPECT_EQ(messages.back(), "and 50 more");
}

}  // namespace
}  // namespace ithaca::traces
