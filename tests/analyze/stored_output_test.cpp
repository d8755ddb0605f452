// What is kept of a report comes back whole, or not at all.
#include "analyze/stored_output.hpp"

#include "cache/bytes.hpp"
#include "loader/fixtures.hpp"
#include "support/test.hpp"

namespace assay::stored_output_test {

AnalyzerOutput rich_output() {
  AnalyzerOutput output;
  output.facts = {{"a.time", "direction=h2d", -0.0, {1.5, 2.5}}, {"a.share", "", 1e-308, {}}};
  output.attributes = {{"a.print", "caf\xC3\xA9"}};
  OwnedTable table{"a", "kernels", "Kernels", {}};
  table.columns.push_back({"name", "", CellType::kText, {"x", ""}, {}, {}});
  table.columns.push_back({"count", "1", CellType::kInteger, {}, {7, kNoInteger}, {}});
  table.columns.push_back({"time", "ns", CellType::kNumber, {}, {}, {0.1, std::nan("")}});
  output.tables = {table, {"a", "empty", "", {{"name", "", CellType::kText, {}, {}, {}}}}};
  output.issues = {{"odd", Severity::kWarning, -3, "Something is odd."}};
  output.skips = {{"report", "a", "a.time: no reason", false}};
  output.notes = {"a: a note"};
  output.lacking = true;
  return output;
}

TEST(StoredOutput, ComesBackToTheLastBit) {
  const std::string bytes = to_bytes(rich_output());
  const auto back = output_from_bytes(bytes, fixture::kA);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_bytes(*back), bytes);
  EXPECT_EQ(back->facts.at(0).dims, "direction=h2d");
  EXPECT_TRUE(std::signbit(back->facts.at(0).value));
  EXPECT_EQ(back->facts.at(0).samples, (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(back->attributes.at(0).value, "caf\xC3\xA9");
  EXPECT_EQ(back->tables.at(0).columns.at(1).integers, (std::vector<std::int64_t>{7, kNoInteger}));
  EXPECT_EQ(back->tables.at(1).rows(), 0U);
  EXPECT_EQ(back->issues.at(0).severity, Severity::kWarning);
  EXPECT_EQ(back->skips.at(0).reason, "a.time: no reason");
  EXPECT_EQ(back->notes.at(0), "a: a note");
  EXPECT_TRUE(back->lacking);
}

TEST(StoredOutput, AnEmptyOneComesBackToo) {
  const auto back = output_from_bytes(to_bytes(AnalyzerOutput{}), fixture::kA);
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->facts.empty());
}

TEST(StoredOutput, CutOffOrContinuedIsNothing) {
  const std::string bytes = to_bytes(rich_output());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(output_from_bytes(bytes.substr(0, size), fixture::kA)) << size;
  }
  EXPECT_FALSE(output_from_bytes(bytes + std::string(8, '\0'), fixture::kA));
}

TEST(StoredOutput, AnyLengthThatLiesIsSurvived) {
  const std::string bytes = to_bytes(rich_output());
  std::size_t refused = 0;
  for (std::size_t at = 0; at + 8 <= bytes.size(); ++at) {
    for (const std::uint64_t lie :
         {std::uint64_t{3}, std::uint64_t{1} << 32, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
      std::string hostile = bytes;
      hostile.replace(at, 8, reinterpret_cast<const char*>(&lie), 8);
      if (!output_from_bytes(hostile, fixture::kA)) ++refused;
    }
  }
  EXPECT_GT(refused, bytes.size());
}

template <class Change>
bool survives(const Change& change) {
  AnalyzerOutput output = rich_output();
  change(output);
  return output_from_bytes(to_bytes(output), fixture::kA).has_value();
}

TEST(StoredOutput, IsEmptyIfNoAnalyzerCouldEmitIt) {
  ASSERT_TRUE(survives([](AnalyzerOutput&) {}));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(survives([&](AnalyzerOutput& o) { o.facts[0].value = nan; }));
  EXPECT_FALSE(survives([&](AnalyzerOutput& o) { o.facts[0].samples[1] = infinity; }));
  EXPECT_FALSE(survives([](AnalyzerOutput& o) { o.facts[0].metric = "b.time"; })) << "not declared";
  EXPECT_FALSE(survives([](AnalyzerOutput& o) { o.attributes[0].name = "b.print"; })) << "not declared";
  EXPECT_FALSE(survives([](AnalyzerOutput& o) { o.tables[0].analyzer = "b"; })) << "another's";
  EXPECT_FALSE(survives([](AnalyzerOutput& o) { o.notes[0] = "\xFF"; })) << "not UTF-8";
  EXPECT_FALSE(survives([](AnalyzerOutput& o) { o.issues[0].severity = static_cast<Severity>(9); }));
  EXPECT_FALSE(survives([](AnalyzerOutput& o) { o.tables[0].columns[0].type = static_cast<CellType>(3); }));
  EXPECT_FALSE(survives([](AnalyzerOutput& o) { o.tables[0].columns[1].integers.pop_back(); })) << "ragged";
  EXPECT_FALSE(survives([](AnalyzerOutput& o) { o.tables[0].columns[1].type = CellType::kNumber; })) << "wrong array";
  EXPECT_FALSE(survives([](AnalyzerOutput& o) { o.tables[0].columns.clear(); })) << "no columns";
}

TEST(StoredView, ComesBackWholeOrNotAtAll) {
  ViewIssues view;
  view.issues = {{"truncated", Severity::kError, 2, "Its end is missing."}};
  for (const std::optional<std::string>& missing : {std::optional<std::string>(), std::optional<std::string>("")}) {
    view.missing = missing;
    const std::string bytes = to_bytes(view);
    const auto back = view_from_bytes(bytes);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->missing, missing);
    EXPECT_EQ(back->issues.at(0).text, "Its end is missing.");
    for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(view_from_bytes(bytes.substr(0, size)));
  }
}

}  // namespace assay::stored_output_test
