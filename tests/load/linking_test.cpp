// Calls of device work and calls that share an id, against a search through all calls.
#include "assay/detail/random.hpp"
#include "load/arrange.hpp"
#include "load/link.hpp"
#include "support/test.hpp"

namespace assay::load::linking_test {

constexpr CallKind kKinds[] = {CallKind::kOther, CallKind::kKernelLaunch, CallKind::kCopy};

bool launches(CallKind kind) { return kind != CallKind::kOther; }

struct LinkedCalls {
  Threads threads;
  CallRows calls;
  EventRows events;

  LinkedCalls() {
    calls.each([](auto& column) { column.make_present(0); });
    events.each([](auto& column) { column.make_present(0); });
    for (const std::int64_t process : {1, 2, 3}) threads.add_thread(threads.add_process(process), process);
  }
  void call(std::uint32_t process, std::int64_t id, CallKind kind) {
    calls.start.push(0);
    calls.end.push(0);
    calls.thread.push(process);
    calls.kind.push(kind);
    calls.correlation.push(id);
  }
  void event(std::uint32_t process, std::int64_t id) {
    events.start.push(0);
    events.end.push(0);
    events.process.push(process);
    events.correlation.push(id);
  }

  /// Of calls with that id the first that launches, else the first.
  [[nodiscard]] Row searched(std::uint32_t process, std::int64_t id) const {
    Row found = kNone;
    for (std::size_t c = 0; c < calls.rows() && id > 0; ++c) {
      if (calls.thread[c] != process || calls.correlation[c] != id) continue;
      const bool first = found == kNone;
      if (first || (launches(calls.kind[c]) && !launches(calls.kind[static_cast<std::size_t>(found)])))
        found = static_cast<Row>(c);
    }
    return found;
  }
};

/// Ids that lie about `apart` from each other.
class Ids {
 public:
  Ids(Random& random, std::uint64_t apart) : random_(random), apart_(apart) {}
  std::int64_t next() {
    const auto step = static_cast<std::int64_t>(random_.uniform() * 2 * static_cast<double>(apart_));
    if (random_.index(10) != 0) last_ += step;  // else two share one
    return random_.index(20) == 0 ? 0 : last_;
  }
  [[nodiscard]] std::int64_t last() const { return last_; }

 private:
  Random& random_;
  std::uint64_t apart_;
  std::int64_t last_ = 1;
};

class Linking : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Linking, AgreesWithASearch) {
  Random random("linking");
  for (int round = 0; round < 20; ++round) {
    LinkedCalls made;
    for (std::uint32_t process = 0; process < 2; ++process) {  // the third has no calls
      Ids ids(random, GetParam());
      for (int c = 0; c < 200; ++c) made.call(process, ids.next(), kKinds[random.index(3)]);
      for (int e = 0; e < 100; ++e) {
        const auto any = static_cast<std::int64_t>(random.uniform() * static_cast<double>(ids.last() + 3));
        made.event(process, random.index(2) == 0 ? any : made.calls.correlation[process * 200U + random.index(200)]);
      }
    }
    made.event(0, -5);
    made.event(0, std::numeric_limits<std::int64_t>::max());
    made.event(2, 7);
    made.event(std::numeric_limits<std::uint32_t>::max(), 7);
    const CallLinker linker(made.calls, made.threads);
    linker.link(made.events);
    std::size_t linked = 0;
    for (std::size_t e = 0; e < made.events.rows(); ++e) {
      const Row expected = made.searched(made.events.process[e], made.events.correlation[e]);
      ASSERT_EQ(made.events.call[e], expected) << round << ": id " << made.events.correlation[e];
      linked += expected != kNone ? 1 : 0;
    }
    EXPECT_GT(linked, 50U);

    linker.fill_twins(made.calls, made.threads);
    ASSERT_TRUE(made.calls.twin.present());
    std::vector<char> reached(made.calls.rows(), 0);
    for (std::size_t c = 0; c < made.calls.rows(); ++c) {
      if (made.calls.correlation[c] <= 0 ||
          made.searched(made.calls.thread[c], made.calls.correlation[c]) != static_cast<Row>(c))
        continue;
      for (auto r = static_cast<Row>(c); r != kNone; r = made.calls.twin[static_cast<std::size_t>(r)]) {
        const auto at = static_cast<std::size_t>(r);
        EXPECT_EQ(reached[at], 0) << "a call in two chains, or a chain without an end";
        ASSERT_EQ(made.calls.correlation[at], made.calls.correlation[c]);
        reached[at] = 1;
      }
    }
    for (std::size_t c = 0; c < made.calls.rows(); ++c) EXPECT_EQ(reached[c] != 0, made.calls.correlation[c] > 0);
  }
}

// Every id that of a call; one in nine, as nsys numbers; few in a block of 64; so far apart that they are sorted.
INSTANTIATE_TEST_SUITE_P(IdsApart, Linking, ::testing::Values(1, 9, 100, 100'000, std::uint64_t{1} << 50));

/// Whether the ids of two calls are there after linking.
bool keeps_ids(std::int64_t other_id, bool listed_again, const std::set<ColumnId>& columns) {
  LinkedCalls made;
  made.call(0, 7, CallKind::kKernelLaunch);
  made.call(0, other_id, CallKind::kOther);
  Profile::Store store;
  store.threads = std::move(made.threads);
  store.calls = std::move(made.calls);
  if (listed_again) store.repeats.emplace();
  link_work(store, WantedColumns(columns));
  return store.calls->correlation.present();
}

TEST(LinkedIds, StayWhereTheyAreWantedOrTwinsDoNotSayThem) {
  constexpr std::int64_t kSame = 7, kAnother = 8;
  EXPECT_FALSE(keeps_ids(kAnother, false, {col::calls, col::call_twin}));
  EXPECT_TRUE(keeps_ids(kSame, false, {col::calls, col::call_twin}));
  EXPECT_TRUE(keeps_ids(kAnother, true, {col::calls, col::call_twin}));
  EXPECT_FALSE(keeps_ids(kSame, true, {col::calls}));
  EXPECT_TRUE(keeps_ids(kAnother, false, {col::calls, col::call_correlation}));
}

}  // namespace assay::load::linking_test
