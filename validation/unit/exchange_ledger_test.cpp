#include "backend/exchange_ledger.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

/// Everything that a ledger shows of its state, of two tags.
struct state {
  std::vector<std::size_t> open;
  std::uint64_t latest;
  std::uint64_t of_q, of_k;
  bool free_q, free_k;
  bool operator==(const state&) const = default;
};

class exchange_ledger_calls : public testing::Test {
 protected:
  bool free(std::size_t tag) const {
    try {
      ledger.require_free(tag, "acquire");
    } catch (const std::logic_error&) {
      return false;
    }
    return true;
  }

  state now() const {
    return {ledger.open_tags(),    ledger.latest(), ledger.exchange_of(q),
            ledger.exchange_of(k), free(q),         free(k)};
  }

  /// What the refusal of `call` says; it must have changed nothing.
  std::string refused(const std::function<void()>& call) {
    const state before = now();
    std::string said = "accepted";
    try {
      call();
    } catch (const std::logic_error& error) {
      said = error.what();
    }
    EXPECT_EQ(now(), before) << said;
    return said;
  }

  void exchange_both() {
    ledger.submit(q, submit_order::more);
    ledger.submit(k, submit_order::last);
  }

  exchange_ledger ledger;
  std::size_t q = ledger.declare("q");
  std::size_t k = ledger.declare("k");
};

TEST_F(exchange_ledger_calls, tags_are_numbered_once_and_for_ever) {
  EXPECT_EQ(q, 0u);
  EXPECT_EQ(k, 1u);
  EXPECT_EQ(ledger.declare("q"), q);
  EXPECT_EQ(ledger.number("k"), k);
  EXPECT_EQ(ledger.name(k), "k");
  EXPECT_EQ(refused([&] { ledger.number("v"); }), "tag v was never prepared: call prepare first");
}

TEST_F(exchange_ledger_calls, exchanges_go_through_the_whole_life_of_their_tags) {
  EXPECT_EQ(ledger.latest(), 0u);
  for (std::uint64_t exchange = 1; exchange <= 3; ++exchange) {
    EXPECT_NO_THROW(ledger.require_free(q, "acquire"));
    EXPECT_EQ(ledger.submit(q, submit_order::more), exchange);
    EXPECT_EQ(ledger.submit(q, submit_order::more), exchange);
    EXPECT_EQ(ledger.open_tags(), (std::vector{q}));
    EXPECT_EQ(ledger.latest(), exchange);
    EXPECT_EQ(ledger.submit(k, submit_order::more), exchange);
    EXPECT_EQ(ledger.open_tags(), (std::vector{q, k}));
    EXPECT_EQ(ledger.submit(k, submit_order::last), exchange);
    EXPECT_TRUE(ledger.open_tags().empty());
    EXPECT_EQ(ledger.latest(), exchange);

    EXPECT_EQ(ledger.wait(k), exchange);
    EXPECT_EQ(ledger.wait(q), exchange);
    EXPECT_EQ(ledger.wait(q), exchange);
    EXPECT_FALSE(ledger.all_released(exchange));
    EXPECT_EQ(ledger.release(q), exchange);
    EXPECT_FALSE(ledger.all_released(exchange));
    EXPECT_EQ(ledger.release(k), exchange);
    EXPECT_TRUE(ledger.all_released(exchange));
    EXPECT_EQ(ledger.exchange_of(q), exchange);
  }
}

TEST_F(exchange_ledger_calls, a_tag_may_be_reused_while_another_exchange_is_open) {
  EXPECT_EQ(ledger.submit(q, submit_order::last), 1u);
  EXPECT_EQ(ledger.submit(k, submit_order::last), 2u);
  ledger.wait(q);
  ledger.release(q);
  EXPECT_EQ(ledger.submit(q, submit_order::more), 3u);
  EXPECT_EQ(ledger.exchange_of(k), 2u);
  EXPECT_EQ(ledger.wait(k), 2u);
}

TEST_F(exchange_ledger_calls, out_of_order_on_a_free_tag_are_refused) {
  EXPECT_EQ(refused([&] { ledger.wait(q); }), "wait(q) is out of order: submit it first");
  EXPECT_EQ(refused([&] { ledger.release(q); }), "release(q) is out of order: wait for it first");
  EXPECT_EQ(ledger.submit(q, submit_order::last), 1u);
}

TEST_F(exchange_ledger_calls, out_of_order_before_the_last_submit_are_refused) {
  ledger.submit(q, submit_order::more);
  EXPECT_EQ(refused([&] { ledger.wait(q); }),
            "wait(q) is out of order: the exchange's last submit has not been made");
  EXPECT_EQ(refused([&] { ledger.release(q); }), "release(q) is out of order: wait for it first");
  EXPECT_EQ(refused([&] { ledger.require_free(q, "prepare"); }),
            "prepare(q) is out of order: release the contents of its last exchange first");
  EXPECT_EQ(refused([&] { ledger.wait(k); }), "wait(k) is out of order: submit it first");
  EXPECT_EQ(ledger.submit(q, submit_order::last), 1u);
  EXPECT_EQ(ledger.wait(q), 1u);
}

TEST_F(exchange_ledger_calls, out_of_order_after_the_last_submit_are_refused) {
  exchange_both();
  for (const submit_order order : {submit_order::more, submit_order::last}) {
    EXPECT_EQ(refused([&] { ledger.submit(q, order); }),
              "submit(q) is out of order: wait for and release its last exchange first");
  }
  EXPECT_EQ(refused([&] { ledger.release(q); }), "release(q) is out of order: wait for it first");
  EXPECT_EQ(ledger.wait(q), 1u);
}

TEST_F(exchange_ledger_calls, out_of_order_after_the_wait_are_refused) {
  exchange_both();
  ledger.wait(q);
  EXPECT_EQ(refused([&] { ledger.submit(q, submit_order::last); }),
            "submit(q) is out of order: wait for and release its last exchange first");
  EXPECT_EQ(refused([&] { ledger.require_free(q, "acquire"); }),
            "acquire(q) is out of order: release the contents of its last exchange first");
  EXPECT_EQ(refused([&] { ledger.release(k); }), "release(k) is out of order: wait for it first");
  EXPECT_EQ(ledger.release(q), 1u);
}

TEST_F(exchange_ledger_calls, out_of_order_after_the_release_are_refused) {
  exchange_both();
  ledger.wait(q);
  ledger.release(q);
  EXPECT_EQ(refused([&] { ledger.release(q); }), "release(q) is out of order: wait for it first");
  EXPECT_EQ(refused([&] { ledger.wait(q); }), "wait(q) is out of order: submit it first");
  // The tags of one exchange come back together.
  EXPECT_EQ(refused([&] { ledger.submit(q, submit_order::last); }),
            "submit(q) is out of order: release the other tags of its last exchange first");
  ledger.wait(k);
  ledger.release(k);
  EXPECT_EQ(ledger.submit(q, submit_order::last), 2u);
}

TEST(exchange_ledger, is_broken_for_good_once_an_attempt_has_failed) {
  exchange_ledger ledger;
  const std::size_t q = ledger.declare("q");
  {
    exchange_ledger::attempt attempt(ledger);
    ledger.submit(q, submit_order::last);
    attempt.succeeded();
  }
  ledger.wait(q);
  try {
    const exchange_ledger::attempt attempt(ledger);
    throw std::runtime_error("no room");
  } catch (const std::runtime_error&) {
  }
  EXPECT_THROW(ledger.release(q), exchange_broken);
  EXPECT_THROW(ledger.wait(q), exchange_broken);
  EXPECT_THROW(ledger.submit(q, submit_order::more), exchange_broken);
  EXPECT_THROW(ledger.require_free(q, "prepare"), exchange_broken);
}

TEST(exchange_ledger, says_where_it_stands) {
  exchange_ledger ledger;
  const std::size_t q = ledger.declare("q");
  const std::size_t o = ledger.declare("o");
  EXPECT_EQ(ledger.standing(), "epoch 0 (no tag was submitted yet)");
  ledger.submit(q, submit_order::more);
  ledger.submit(o, submit_order::last);
  EXPECT_EQ(ledger.standing(), "epoch 1 (tags q, o)");
  for (const std::size_t each : {q, o}) {
    ledger.wait(each);
    ledger.release(each);
  }
  ledger.submit(o, submit_order::last);
  EXPECT_EQ(ledger.standing(), "epoch 2 (tag o)");
  EXPECT_EQ(ledger.in_words(1), "epoch 1 (tag q)");
  EXPECT_EQ(ledger.in_words(7), "epoch 7");
}

}  // namespace
}  // namespace ithaca
