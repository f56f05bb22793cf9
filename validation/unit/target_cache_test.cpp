#include "backend/target_cache.hpp"

#include <gtest/gtest.h>

#include "backend/host/host_memory.hpp"

namespace ithaca {
namespace {

std::shared_ptr<target> made(const std::string& key, std::size_t bytes = 1) {
  auto made = std::make_shared<target>();
  made->key = key;
  made->slots.push_back({.mine = std::make_shared<host_view>(nullptr, bytes)});
  return made;
}

/// "0", "1", ...: "0" is the least recently used.
target_cache filled(std::size_t count) {
  target_cache cache;
  for (std::size_t i = 0; i < count; ++i) cache.insert(made(std::to_string(i)));
  return cache;
}

/// The keys that are left of "0", "1", ...; asks in the order of their use, which keeps it.
std::string left(target_cache& cache) {
  std::string keys;
  for (std::size_t i = 0; i < 2 * target_cache::capacity; ++i) {
    if (cache.find(std::to_string(i))) keys += (keys.empty() ? "" : " ") + std::to_string(i);
  }
  return keys;
}

TEST(target_cache, finds_what_was_inserted) {
  target_cache cache;
  const auto q = made("q", 10);
  cache.insert(q);
  cache.insert(made("k", 5));
  EXPECT_EQ(cache.find("q"), q);
  EXPECT_EQ(cache.find("v"), nullptr);
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(cache.memory_bytes(), 15u);
}

TEST(target_cache, holds_twelve) {
  static_assert(target_cache::capacity == 12);
  target_cache cache = filled(11);
  cache.make_room(1, {});
  EXPECT_EQ(cache.size(), 11u);
  cache.insert(made("11"));
  cache.make_room(1, {});
  EXPECT_EQ(left(cache), "1 2 3 4 5 6 7 8 9 10 11");
  cache.make_room(12, {});
  EXPECT_EQ(cache.size(), 0u);
}

TEST(target_cache, drops_the_least_recently_used_first) {
  target_cache cache = filled(12);
  cache.find("0");
  cache.find("2");
  cache.make_room(3, {});
  EXPECT_EQ(left(cache), "0 2 5 6 7 8 9 10 11");
}

TEST(target_cache, frees_what_it_drops) {
  target_cache cache = filled(12);
  const std::weak_ptr<target> oldest = cache.find("0");
  for (int i = 1; i < 12; ++i) cache.find(std::to_string(i));
  cache.make_room(1, {});
  EXPECT_TRUE(oldest.expired());
  EXPECT_EQ(cache.memory_bytes(), 11u);
}

TEST(target_cache, spares_what_is_to_be_kept) {
  target_cache cache = filled(12);
  cache.make_room(3, {"0", "2", "3", "not there"});
  EXPECT_EQ(left(cache), "0 2 3 6 7 8 9 10 11");
  cache.make_room(12, {"0", "11"});
  EXPECT_EQ(left(cache), "0 11");
}

}  // namespace
}  // namespace ithaca
