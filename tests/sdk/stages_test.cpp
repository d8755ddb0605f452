// Pipelines are simulated by their operations, with rendezvous of both sides of every message, and compared with what
// the algorithms find in the kernels alone.
#include "assay/algo/stages.hpp"

#include <random>

#include "support/test.hpp"

namespace assay::unit_stages_test {

using namespace stages;

constexpr std::int64_t kForward = 1'000'000, kTransfer = 60'000;

/// Compute of a length, or an exchange with neighbours.
struct Operation {
  std::int64_t compute = 0;
  std::vector<MessageSide> sides;
};
using Program = std::vector<Operation>;

/// One rank's work as the scripts of Megatron order it. `time` gives the length of a pass of a stage.
template <class Time>
Program program_of(std::uint32_t s, std::uint32_t p, int m, bool one_forward_one_backward, Time&& time) {
  Program out;
  const auto exchange = [&](std::vector<MessageSide> sides) {
    std::erase_if(sides, [&](const MessageSide& side) { return side.peer >= p; });  // beyond either end
    if (!sides.empty()) out.push_back({0, sides});
  };
  const auto forward = [&] { out.push_back({time(s, 1), {}}); };
  const auto backward = [&] { out.push_back({time(s, 2), {}}); };
  const MessageSide from_previous{false, s - 1, 100}, to_next{true, s + 1, 100};
  const MessageSide from_next{false, s + 1, 200}, to_previous{true, s - 1, 200};
  const int ahead = one_forward_one_backward ? std::min(static_cast<int>(p - 1 - s), m) : m;
  for (int i = 0; i < ahead; ++i) {
    exchange({from_previous});
    forward();
    exchange({to_next});
  }
  if (m > ahead) exchange({from_previous});
  for (int i = 0; i < m - ahead; ++i) {
    forward();
    exchange({to_next, from_next});
    backward();
    exchange(i + 1 < m - ahead ? std::vector{to_previous, from_previous} : std::vector{to_previous});
  }
  for (int i = 0; i < ahead; ++i) {
    exchange({from_next});
    backward();
    exchange({to_previous});
  }
  return out;
}

/// Runs the programs to their ends: an exchange ends when each of its messages was transferred after both sides came.
JobStep simulate(const std::vector<Program>& programs) {
  const auto p = static_cast<std::uint32_t>(programs.size());
  JobStep step;
  step.ranks.resize(p);
  struct PostedMessages {
    std::vector<std::pair<std::uint32_t, std::int64_t>> sends, receives;  // event, time
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, PostedMessages> posted;
  std::vector<std::size_t> at(p, 0);
  std::vector<std::int64_t> now(p, 0), since(p, 0);
  std::vector<bool> waits(p, false);
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::size_t> done;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t r = 0; r < p; ++r) {
      RankStep& rank = step.ranks[r];
      while (at[r] < programs[r].size()) {
        const Operation& op = programs[r][at[r]];
        if (op.sides.empty()) {
          now[r] += op.compute;
          since[r] += op.compute;
          rank.compute += op.compute;
          ++at[r];
          moved = true;
          continue;
        }
        if (!waits[r]) {
          const auto event = static_cast<std::uint32_t>(rank.events.size());
          rank.events.push_back({{now[r], now[r]}, since[r], 0});
          since[r] = 0;
          for (MessageSide side : op.sides) {
            side.event = event;
            rank.sides.push_back(side);
            auto& pair = posted[side.sends ? std::pair(r, side.peer) : std::pair(side.peer, r)];
            (side.sends ? pair.sends : pair.receives).emplace_back(event, now[r]);
          }
          waits[r] = true;
          moved = true;
        }
        std::int64_t end = now[r];
        bool all = true;
        for (const MessageSide& side : op.sides) {
          const auto& pair = posted[side.sends ? std::pair(r, side.peer) : std::pair(side.peer, r)];
          const std::size_t k = done[{r, side.peer, side.sends}];
          if (pair.sends.size() <= k || pair.receives.size() <= k) {
            all = false;
            break;
          }
          end = std::max(end, std::max(pair.sends[k].second, pair.receives[k].second) + kTransfer);
        }
        if (!all) break;
        for (const MessageSide& side : op.sides) ++done[{r, side.peer, side.sends}];
        rank.events.back().time.end = now[r] = end;
        waits[r] = false;
        ++at[r];
        moved = true;
      }
    }
  }
  for (std::uint32_t r = 0; r < p; ++r) {
    EXPECT_EQ(at[r], programs[r].size()) << "the simulated program is stuck";
    RankStep& rank = step.ranks[r];
    rank.window = {0, now[r]};
    rank.work_after = since[r];
    for (const CommEvent& event : rank.events) rank.uncovered.push_back(event.time);
    rank.uncovered = merge(rank.uncovered);
  }
  return step;
}

struct Setting {
  std::uint32_t stages;
  int microbatches;
  bool one_forward_one_backward;
};
const std::vector<Setting> kSettings = {{2, 1, false}, {2, 5, true},  {3, 2, true},  {4, 4, false}, {4, 8, true},
                                        {4, 2, true},  {5, 7, false}, {8, 16, true}, {8, 64, true}, {8, 3, false}};

template <class Time>
JobStep job(const Setting& s, Time&& time) {
  std::vector<Program> programs;
  for (std::uint32_t r = 0; r < s.stages; ++r)
    programs.push_back(program_of(r, s.stages, s.microbatches, s.one_forward_one_backward, time));
  return simulate(programs);
}
std::int64_t equal_time(std::uint32_t /*stage*/, int factor) { return factor * kForward; }

TEST(Stages, MatchEveryMessageOnce) {
  for (const Setting& s : kSettings) {
    JobStep step = job(s, equal_time);
    match_messages(step);
    EXPECT_EQ(step.messages.size(), 2U * static_cast<unsigned>(s.microbatches) * (s.stages - 1));
    EXPECT_EQ(step.unmatched, 0);
  }
}

TEST(Stages, RefusePairsOfUnlikeSizesOrCounts) {
  JobStep step = job({3, 4, false}, equal_time);
  for (MessageSide& side : step.ranks[0].sides) side.bytes += side.sends ? 1 : 0;
  step.ranks[2].sides.pop_back();
  match_messages(step);
  EXPECT_EQ(step.messages.size(), 2U * 4);  // 1 to 0, and 1 to 2
  EXPECT_EQ(step.unmatched, 8 + 7);
}

TEST(Stages, AreFoundInTheirOrderByWhoSendsToWhom) {
  JobStep step = job({4, 4, true}, equal_time);
  const std::vector<std::uint32_t> number = {2, 0, 3, 1};  // rank of each stage
  std::vector<RankStep> ranks(4);
  for (std::uint32_t s = 0; s < 4; ++s) {
    ranks[number[s]] = step.ranks[s];
    for (MessageSide& side : ranks[number[s]].sides) side.peer = number[side.peer];
  }
  step.ranks = ranks;
  match_messages(step);
  const std::vector<Chain> chains = find_chains(step);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].ranks, number);
  EXPECT_FALSE(chains[0].ring);
}

TEST(Stages, HaveTheShapeOfTheirSchedule) {
  for (const Setting& s : kSettings) {
    JobStep step = job(s, equal_time);
    match_messages(step);
    const std::vector<Chain> chains = find_chains(step);
    ASSERT_EQ(chains.size(), 1U);
    const ChainShape shape = shape_of(step, chains[0]);
    EXPECT_EQ(shape.microbatches, s.microbatches);
    const bool mixed = s.one_forward_one_backward && s.microbatches >= static_cast<int>(s.stages);
    if (mixed || !s.one_forward_one_backward) {
      EXPECT_EQ(shape.schedule, mixed ? Schedule::kInterleavedBackward : Schedule::kAllForwardFirst);
    }
  }
}

TEST(Stages, HaveTheirPassesByTheMessagesAround) {
  JobStep step = job({4, 8, true}, equal_time);
  match_messages(step);
  const Chain chain = find_chains(step).at(0);
  for (std::size_t s = 0; s < 4; ++s) {
    std::map<Pass, std::int64_t> time;
    const std::vector<Pass> passes = passes_of(step, chain, s);
    for (std::size_t e = 0; e < step.ranks[s].events.size(); ++e)
      time[passes[e]] += step.ranks[s].events[e].work_before;
    const bool middle = s == 1 || s == 2;
    EXPECT_EQ(time[Pass::kUnknown], 0);
    if (middle) {
      EXPECT_EQ(time[Pass::kForward], 8 * kForward);
      EXPECT_EQ(time[Pass::kBackward], 16 * kForward);
    }
    EXPECT_EQ(time[Pass::kBoth], (s == 0 ? 4 : s == 3 ? 8 : 0) * 3 * kForward);
  }
}

TEST(Stages, HaveTheirPassesAlsoWithCollectivesInThem) {
  // Receive, forward, collective, backward, collective, send: the last stage of one microbatch, tensor parallel.
  JobStep step;
  step.ranks.resize(2);
  step.ranks[0].events = {{{10, 11}, 10, 0}, {{11, 48}, 0, 0}};
  step.ranks[1].events = {{{0, 11}, 0, 0}, {{21, 22}, 10, 0}, {{42, 43}, 20, 0}, {{43, 48}, 0, 0}};
  step.ranks[0].sides = {{true, 1, 8, 0, 0}, {false, 1, 8, 0, 1}};
  step.ranks[1].sides = {{false, 0, 8, 0, 0}, {true, 0, 8, 0, 3}};
  match_messages(step);
  const std::vector<Pass> passes = passes_of(step, find_chains(step).at(0), 1);
  EXPECT_EQ(passes.at(1), Pass::kForward);
  EXPECT_EQ(passes.at(2), Pass::kBackward);
}

TEST(Stages, RanksThatExchangeWithBothNeighboursAreNotPipeline) {
  std::vector<Program> programs;
  for (std::uint32_t r = 0; r < 4; ++r)
    programs.push_back({{kForward, {}}, {0, {{true, (r + 1) % 4, 8}, {false, (r + 3) % 4, 8}}}});
  JobStep step = simulate(programs);
  match_messages(step);
  EXPECT_EQ(step.messages.size(), 4U);
  EXPECT_TRUE(find_chains(step).empty());
}

TEST(Bubble, IsIdealForEqualStagesWithoutTransfer) {
  for (const Setting& s : kSettings) {
    JobStep step = job(s, equal_time);
    match_messages(step);
    const auto parts = parts_of(step, waits_of(step));
    const auto split = split_bubbles(step, find_chains(step).at(0), parts);
    ASSERT_TRUE(split);
    const std::int64_t length = step.length();
    for (std::uint32_t r = 0; r < s.stages; ++r) {
      EXPECT_EQ(parts[r].compute + parts[r].transfer + parts[r].copy + parts[r].bubble, length);
      EXPECT_EQ(parts[r].compute, std::int64_t{3} * s.microbatches * kForward);
      EXPECT_EQ((*split)[r].warm_up + (*split)[r].drain + (*split)[r].imbalance, parts[r].bubble);
      EXPECT_EQ((*split)[r].imbalance, 0);
      const std::int64_t ideal = std::int64_t{3} * (s.stages - 1) * kForward;
      EXPECT_GE(parts[r].bubble, ideal - std::int64_t{2} * s.microbatches * kTransfer);
    }
  }
}

TEST(Bubble, CountsOneSlowStageAsImbalanceOnTheOthers) {
  JobStep step =
      job({4, 8, false}, [](std::uint32_t s, int factor) { return factor * kForward * (s == 2 ? 3 : 2) / 2; });
  match_messages(step);
  const auto parts = parts_of(step, waits_of(step));
  const auto split = split_bubbles(step, find_chains(step).at(0), parts);
  ASSERT_TRUE(split);
  EXPECT_GT((*split)[0].imbalance, 8 * kForward);
  EXPECT_EQ((*split)[2].imbalance, 0);
}

TEST(StageReplay, EqualsASimulationOfTheChange) {
  std::mt19937 random(7);
  for (const Setting& s : kSettings) {
    for (int round = 0; round < 5; ++round) {
      std::vector<std::int64_t> factor(s.stages);
      for (auto& f : factor) f = 4 + static_cast<std::int64_t>(random() % 5);
      JobStep step = job(s, [&](std::uint32_t r, int pass) { return pass * factor[r] * 100'000; });
      match_messages(step);
      const std::int64_t length = step.length();
      std::vector<double> scale(s.stages, 1);
      const auto as_it_was = replay(step, scale);
      ASSERT_TRUE(as_it_was);
      EXPECT_EQ(as_it_was->length, length);
      for (std::uint32_t r = 0; r < s.stages; ++r) scale[r] = 6.0 / static_cast<double>(factor[r]);
      const auto equal = replay(step, scale);
      ASSERT_TRUE(equal);
      const std::int64_t simulated = job(s, [](std::uint32_t, int pass) { return pass * 600'000; }).length();
      EXPECT_NEAR(static_cast<double>(equal->length), static_cast<double>(simulated), 200);
    }
  }
}

/// Two ranks: the first sends twice, the second receives late; both messages are in a buffer for one message.
JobStep buffered() {
  JobStep step;
  step.ranks.resize(2);
  step.ranks[0].events = {{{100, 110}, 100, 0}, {{210, 510}, 100, 0}};
  step.ranks[1].events = {{{500, 510}, 500, 0}, {{1000, 1010}, 490, 0}};
  step.ranks[0].sides = {{true, 1, 8, 0, 0}, {true, 1, 8, 0, 1}};
  step.ranks[1].sides = {{false, 0, 8, 0, 0}, {false, 0, 8, 0, 1}};
  step.ranks[0].window = {0, 510};
  step.ranks[1].window = {0, 1010};
  step.ranks[0].compute = 200;
  step.ranks[1].compute = 990;
  for (RankStep& rank : step.ranks)
    for (const CommEvent& event : rank.events) rank.uncovered.push_back(event.time);
  match_messages(step);
  return step;
}

TEST(BufferedSends, WaitForRoomAlone) {
  const JobStep step = buffered();
  EXPECT_EQ(waits_of(step), (std::vector<std::vector<std::int64_t>>{{0, 290}, {0, 0}}));
  const auto parts = parts_of(step, waits_of(step));
  EXPECT_EQ(parts[0].transfer, 20);
  EXPECT_EQ(parts[0].bubble, 1010 - 200 - 20);
}

TEST(BufferedSends, GetRoomEarlierIfTheReceiverIsFaster) {
  const JobStep step = buffered();
  const auto as_it_was = replay(step, std::vector<double>{1, 1});
  ASSERT_TRUE(as_it_was);
  EXPECT_EQ(as_it_was->events[0][1].end, 510);
  EXPECT_EQ(as_it_was->length, 1010);
  const auto faster = replay(step, std::vector<double>{1, 0.5});
  ASSERT_TRUE(faster);
  EXPECT_EQ(faster->events[1][0].start, 250);
  EXPECT_EQ(faster->events[0][1].end, 260) << "10 after the first receive began, as measured";
}

TEST(MessageClocks, AreKeptOnOneHost) {
  std::vector<JobStep> steps(2, job({4, 4, true}, equal_time));
  for (JobStep& step : steps) match_messages(step);
  for (const Alignment& a : align_clocks(steps)) {
    EXPECT_FALSE(a.moved);
    EXPECT_EQ(a.shift, std::vector<std::int64_t>(4, 0));
    EXPECT_GE(a.uncertainty, 2 * kTransfer);
  }
}

TEST(MessageClocks, AreMovedBackWhereTheyContradictCausality) {
  const std::vector<std::int64_t> skew = {0, 5'000'000, -40'000'000, 900'000};
  for (const std::int64_t drift : {0, 400'000}) {  // a step
    std::vector<JobStep> steps, truth;
    for (int i = 0; i < 5; ++i) {
      JobStep step = job({4, 6, false}, [](std::uint32_t s, int f) { return f * kForward * (s == 1 ? 3 : 2) / 2; });
      match_messages(step);
      truth.push_back(step);
      Alignment by;
      for (const std::int64_t of : skew) by.shift.push_back(of == 0 ? 0 : of + i * drift);
      shift(step, by);
      steps.push_back(step);
    }
    const std::vector<Alignment> found = align_clocks(steps);
    ASSERT_EQ(found.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_TRUE(found[i].moved);
      shift(steps[i], found[i]);
      EXPECT_EQ(waits_of(steps[i]), waits_of(truth[i]));
      EXPECT_EQ(steps[i].length(), truth[i].length());
    }
  }
}

/// Steps with noise in every pass; `slow`: the stage that takes longer, by a share.
std::vector<StageCompute> noisy(const Setting& s, std::uint32_t slow, double excess, double spread,
                                std::mt19937& random) {
  std::normal_distribution<double> noise(1, spread);
  std::vector<StageCompute> out(s.stages);
  for (std::uint32_t r = 0; r < s.stages; ++r) {
    out[r].pieces.resize(2);
    for (int step = 0; step < 3; ++step) {
      double sum = 0;
      for (int i = 0; i < 2 * s.microbatches; ++i) {
        const double time = (r == slow ? 1 + excess : 1) * (1 + i % 2) * 1e6 * noise(random);
        out[r].pieces[static_cast<std::size_t>(i % 2)].push_back(time);
        sum += time;
      }
      out[r].steps.push_back(sum);
    }
  }
  return out;
}

TEST(LimitingStage, IsNamedIfSlowAndSeldomIfEqual) {
  std::mt19937 random(11);
  int named = 0, of = 0, falsely = 0;
  for (int round = 0; round < 300; ++round) {
    for (const Setting& s : kSettings) {
      ++of;
      const std::uint32_t slow = static_cast<std::uint32_t>(random()) % s.stages;
      const auto found = limiting_stage(noisy(s, slow, 0.2, 0.02, random), 0.03, 0.01);
      named += found && found->stage == slow ? 1 : 0;
      falsely += limiting_stage(noisy(s, s.stages, 0, 0.05, random), 0.03, 0.01) ? 1 : 0;
    }
  }
  EXPECT_GE(named, of * 95 / 100);
  EXPECT_LE(falsely, of / 100);
}

}  // namespace assay::unit_stages_test
