// A journal is the truth of a recording, so each of its lines is checked when it is read: every field of every line is
// replaced by values of other types, dropped and doubled.
#include "record/journal.hpp"

#include <random>
#include <set>

#include "recording_fixture.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay::record::journal_test {

using Pointer = Json::json_pointer;

/// A line of every kind, with every field.
std::vector<Event> all_kinds() {
  const Json conditions = Json::parse(
      R"({"load":1.5,"steal_percent_since_boot":0.1,"governor":"performance","gpus":[{"index":"0","uuid":"GPU-1",)"
      R"("name":"NVIDIA H100","driver":"570.1","sm_mhz":1980.0,"throttled_us":0,"clock_reasons":"","processes":[null,7]}]})");
  event::RecordingBegan begin{"t", "1.0", 1, {}, {{"driver", "570.1"}}, {{" q: mode=a", "true a"}}, {{"/blocks/1"}}};
  begin.design = {"q", {"q"}, 3, 2, 5, 20, "blocks", 1, 18446744073709551615U, true, 3600, "after each block", "x"};
  event::RunStarted start{"t",   "block_001/run_a", "q: mode=a",  1,   1,   1,  1,         1,
                          false, {"true", "a"},     {{"A", "1"}}, "o", "e", {}, conditions};
  start.names = {{"block_001/run_a", "q", {{"mode", "a"}, {"gpu_id", 0}, {"compiled", true}}, {{"mode", "a"}}}};
  event::RunEnded end{"t",
                      "block_001/run_a",
                      1,
                      Outcome::kFailed,
                      1.5,
                      3,
                      9,
                      "it failed",
                      "mend it",
                      "throttled",
                      event::Binding{"0-15", "bind:0"},
                      2,
                      {{"elapsed_s", 0.25}},
                      {"a.sqlite"},
                      {"throttled"},
                      "no",
                      conditions,
                      event::Power{500.5, 300, 1500, 0.5, 12}};
  const event::Claim claim{"q", "c", "inconclusive", false, 12, Json::parse(R"([{"blocks":4}])")};
  return {begin,
          event::Epoch{"t", "1.0", 2, {{"driver", "570.1"}}, {{" q: mode=a", "true a"}}},
          event::RecordingResumed{"t", "1.0", 2},
          event::Block{"t", 1, "0", {"q: mode=a", "q: mode=b"}},
          start,
          end,
          event::Warmup{"t", "q: mode=a", "0", Outcome::kOk, 1.5, "it failed", "q", 12},
          event::CellWarmed{"t", "0 q: mode=a"},
          event::LookTaken{"t", 1, {claim}, 60},
          event::CellStopped{"t", "q: mode=a", "no kernel of it"},
          event::ProcessesLeftBehind{"t", {1, 2}, 3},
          event::BlockEnded{"t", 1, "n1", {"GPU-1"}}};
}

/// Every member of every object and every element of every list, but for what a journal only passes on.
void add_places(const Json& value, const Pointer& at, std::vector<Pointer>& places) {
  if (value.is_primitive() || at.to_string().ends_with("/strata/0")) return;
  for (const auto& [name, one] : value.items()) {
    const Pointer place = value.is_array() ? at / std::stoul(name) : at / name;
    places.push_back(place);
    add_places(one, place, places);
  }
}

std::vector<Pointer> places_in(const Json& line) {
  std::vector<Pointer> places;
  add_places(line, Pointer(), places);
  return places;
}

int type_of(const Json& value) { return value.is_number() ? 100 : static_cast<int>(value.type()); }

/// The text of a line in which the member at `place` stands twice.
std::string doubled(Json line, const Pointer& place) {
  const Pointer parent = place.parent_pointer();
  const Json object = line[parent];
  std::string text = object.dump();
  text.insert(1, Json(place.back()).dump() + ":" + object[place.back()].dump() + ",");
  if (parent.empty()) return text;
  line[parent] = "@here@";
  std::string whole = line.dump();
  const std::string mark = "\"@here@\"";
  return whole.replace(whole.find(mark), mark.size(), text);
}

struct Mutation {
  std::string what, name, line;
};

/// Lines that say something of another kind than they must.
std::vector<Mutation> mutations_of(const Json& line) {
  const std::set<std::string> optional = {
      "exit_code",       "signal",     "error",        "advice",    "binding",       "left_behind",
      "joined",          "load",       "gpus",         "governor",  "joules",        "mean_watts",
      "throttled_ratio", "power",      "ended",        "index",     "uuid",          "name",
      "driver",          "sm_mhz",     "throttled_us", "processes", "clock_reasons", "steal_percent_since_boot",
      "gpus_at_once",    "rejected_by"};
  std::vector<Mutation> out;
  for (const Pointer& place : places_in(line)) {
    const bool in_list = line[place.parent_pointer()].is_array();
    const std::string name = in_list ? place.parent_pointer().back() : place.back();
    for (const Json& other : {Json(nullptr), Json(true), Json(-1), Json("x"), Json::array(), Json::object()}) {
      if (other.is_null() && place.to_string().find("/conditions/") != std::string::npos && line[place].is_number())
        continue;
      const bool hidden = place.to_string().find("/processes/") != std::string::npos;
      if (type_of(other) == type_of(line[place]) && other != Json(-1)) continue;
      if (hidden || (other == Json(-1) && line[place].is_number_float())) continue;
      // A runner's field may be of any plain type.
      if (place.to_string().find("/fields/") != std::string::npos && other.is_primitive() && !other.is_null()) continue;
      if (other == Json(-1) && (name == "exit_code" || name == "signal" || name == "throttled_us")) continue;
      Json changed = line;
      changed[place] = other;
      out.push_back({place.to_string() + " = " + other.dump(), name, changed.dump()});
    }
    if (in_list) continue;
    const bool free =
        place.parent_pointer().empty()
            ? false
            : std::set<std::string>{"identity", "commands", "env", "labels", "fields", "measured"}.contains(
                  place.parent_pointer().back());
    const bool of_pilot = text_in(line, "event") == "warmup" && (name == "question" || name == "steps");
    if (!free && !of_pilot && !(optional.contains(name) && place.to_string() != "/design/name")) {
      Json dropped = line;
      dropped[place.parent_pointer()].erase(place.back());
      out.push_back({place.to_string() + " dropped", name, dropped.dump()});
    }
    out.push_back({place.to_string() + " twice", name, doubled(line, place)});
  }
  return out;
}

TEST(JournalLines, EveryKindIsReadAsItWasWritten) {
  for (const Event& event : all_kinds()) {
    const JournalLine line = read_line(line_of(event));
    ASSERT_TRUE(line.event) << line_of(event) << ": " << line.problem;
    EXPECT_EQ(line_of(*line.event), line_of(event));
  }
  EXPECT_EQ(all_kinds().size(), std::variant_size_v<Event>);
}

TEST(JournalLines, AFieldOfAnotherTypeOneThatIsMissingAndOneTwiceAreTold) {
  std::size_t tried = 0;
  for (const Event& event : all_kinds()) {
    for (const Mutation& mutation : mutations_of(json_of(event))) {
      const JournalLine line = read_line(mutation.line);
      EXPECT_FALSE(line.event) << mutation.what << "\n" << mutation.line;
      EXPECT_FALSE(line.cut_off) << mutation.what;
      EXPECT_TRUE(contains(line.problem, mutation.name)) << mutation.what;
      ++tried;
    }
  }
  EXPECT_GT(tried, 700U);
}

TEST(JournalLines, NumbersThatCountNothingAreTold) {
  const Json block = json_of(event::Block{"t", 1, "", {"a"}});
  for (const char* number : {"-1", "0", "1.5", "1e300", "99999999999", "18446744073709551616"}) {
    Json changed = block;
    changed["block"] = Json::parse(number);
    EXPECT_TRUE(contains(read_line(changed.dump()).problem, "'block' is ")) << number;
  }
  Json empty = block;
  empty["order"] = Json::array();
  EXPECT_EQ(read_line(empty.dump()).problem, "'order' is an empty list where a list that is not empty is expected");
  empty["order"] = {""};
  EXPECT_EQ(read_line(empty.dump()).problem, "'order[0]' is an empty text where a text that is not empty is expected");
}

// A copy of what was read overflowed the stack.
TEST(JournalLines, DeeplyNestedOnesAreTold) {
  std::string deep = R"({"event":"begin","x":)";
  for (int i = 0; i < 100000; ++i) deep += R"({"a":)";
  deep += "1" + std::string(100001, '}');
  EXPECT_TRUE(contains(read_line(deep).problem, "objects and lists in each other"));
  EXPECT_TRUE(read_line(std::string(100000, '[')).problem.size() > 0);
  EXPECT_TRUE(read_line(R"({"event":"begin","time":"2026)").cut_off);
}

class DamagedJournal : public Recording {
 protected:
  void SetUp() override {
    ask("\"time=1000\"", "\"fail\"", "warmup = 1");
    ASSERT_TRUE(record());
    whole_ = read_text(folder() / kJournal);
    before_ = runs();
  }
  /// A block more is asked for, so that there are runs to be made.
  Result<RecordResult> go_on() {
    DesignOptions more;
    more.replicates = 2;
    return record({}, more);
  }
  void write(const std::string& bytes) const { std::ofstream(folder() / kJournal, std::ios::binary) << bytes; }
  [[nodiscard]] std::string line_place(std::size_t line) const {
    return (folder() / kJournal).string() + ":" + std::to_string(line) + ": ";
  }

  std::string whole_;
  std::size_t before_ = 0;
};

TEST_F(DamagedJournal, RefusesTheRecordingAndRunsNothing) {
  const std::vector<Json> lines = lines_of(folder());
  std::vector<std::pair<std::size_t, Mutation>> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (Mutation& mutation : mutations_of(lines[i])) all.emplace_back(i, std::move(mutation));
  }
  ASSERT_GT(all.size(), 500U);
  std::shuffle(all.begin(), all.end(), std::mt19937_64(28));
  for (std::size_t i = 0; i < 120; ++i) {
    const auto& [at, mutation] = all[i];
    std::string damaged;
    for (std::size_t line = 0; line < lines.size(); ++line)
      damaged += (line == at ? mutation.line : lines[line].dump()) + "\n";
    write(damaged);
    const auto done = go_on();
    ASSERT_FALSE(done) << mutation.what;
    EXPECT_EQ(done.error().exit, Exit::kUsage) << mutation.what;
    EXPECT_TRUE(contains_all(done.error().sentence, {line_place(at + 1), mutation.name})) << mutation.what;
    EXPECT_EQ(read_text(folder() / kJournal), damaged) << "nothing is added to it";
  }
  EXPECT_EQ(runs(), before_) << "nothing was run";
  write(whole_);
  const auto done = require(go_on());
  EXPECT_GT(runs(), before_);
}

TEST_F(DamagedJournal, OnlyTheLineThatARecorderLeftUnfinishedIsForgiven) {
  const std::size_t second = whole_.find('\n') + 1, third = whole_.find('\n', second) + 1;
  std::string torn = whole_;
  torn.erase(second + 20, third - second - 21);
  write(torn);
  const auto inside = go_on();
  ASSERT_FALSE(inside);
  EXPECT_EQ(inside.error().exit, Exit::kUsage);
  EXPECT_TRUE(contains(inside.error().sentence, line_place(2) + "it is not JSON"));
  write(whole_.substr(second));
  const auto headless = go_on();
  ASSERT_FALSE(headless);
  EXPECT_TRUE(contains(headless.error().sentence, line_place(1) + "'event' is not 'begin'"));
  EXPECT_EQ(runs(), before_);
  write(whole_ + R"({"event":"start","ti)");
  const auto done = require(go_on());
  EXPECT_TRUE(is_empty((*read_journal(folder())).damaged));
  EXPECT_EQ((*read_journal(folder())).cut_off, 1U);
}

}  // namespace assay::record::journal_test
