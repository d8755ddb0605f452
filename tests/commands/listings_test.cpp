// --format of every command that lists: the same rows as a table, as CSV and as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "golden_case.hpp"
#include "scratch_folder.hpp"

namespace assay::testing {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

/// Commands with --format, and a call of each on the inputs of the test.
struct Listing {
  const char *command, *arguments;
};
constexpr Listing kListings[] = {
    {"list", "list reports"},
    {"query", "query reports/runs/vit1.sqlite 'SELECT kind, count(*) AS n, NULL AS absent FROM calls GROUP BY 1'"},
    {"stats", "stats reports/runs/vit1.sqlite --report cuda_gpu_kern_sum"},
    {"plan", "plan config.toml"},
    {"describe", "describe"},
    {"describe", "describe gpu.busy_ratio inconclusive ranks"},
    {"plugins", "plugins"},
    {"schema", "schema"},
};
/// Those whose rows other tests compare, because they need what is made there.
constexpr const char* kTestedElsewhere[] = {"init", "whatif", "history", "check", "bench", "doctor", "record", "study"};
/// What the others answer with is no list: a report, files, a document or a script.
constexpr const char* kNoList[] = {"look",  "timeline", "run", "show", "compare",   "submit",
                                   "merge", "convert",  "new", "mcp",  "completion"};

class Listings : public ::testing::Test {
 protected:
  Listings() { prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path()); }

  std::string assay(const std::string& arguments) {
    const Outcome outcome = run_assay(scratch_.path(), split_command(arguments));
    EXPECT_EQ(outcome.exit, 0) << arguments << "\n" << outcome.err;
    return outcome.out;
  }

  ScratchFolder scratch_;
};

/// Cells of CSV as RFC 4180 has them.
std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      rows.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      rows.emplace_back(1, "");
    } else {
      rows.back().back() += c;
    }
  }
  std::erase(rows, std::vector<std::string>{""});  // after the last line's end, and between the tables of stats
  return rows;
}

TEST_F(Listings, HaveTheSameRowsAsCsvAndAsJson) {
  for (const Listing& listing : kListings) {
    const std::string call = listing.arguments;
    const auto csv = csv_rows(assay(call + " --format csv"));
    const std::string text = assay(call + " --format json");
    const OrderedJson json = OrderedJson::parse(text, nullptr, false);
    ASSERT_TRUE(json.is_array()) << call << "\n" << text;
    ASSERT_GT(json.size(), 0U) << call;
    ASSERT_EQ(csv.size(), json.size() + 1) << call;
    for (std::size_t r = 0; r < json.size(); ++r) {
      std::vector<std::string> titles, cells;
      for (const auto& [title, value] : json[r].items()) {
        titles.push_back(title);
        cells.push_back(value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump());
      }
      EXPECT_THAT(csv.front(), ElementsAreArray(titles)) << call;
      EXPECT_THAT(csv[r + 1], ElementsAreArray(cells)) << call;
    }
  }
}

TEST_F(Listings, TablesHaveTheirTitlesAndFirstCells) {
  for (const Listing& listing : kListings) {
    const std::string call = listing.arguments;
    if (call.starts_with("plan") || call.starts_with("describe")) continue;  // in words
    const std::string table = assay(call), first = table.substr(0, table.find("\n\n"));
    for (const auto& row : csv_rows(assay(call + " --format csv"))) EXPECT_THAT(table, HasSubstr(row.front())) << call;
  }
}

TEST_F(Listings, ANumberThatIsNotThereIsNull) {
  const OrderedJson files = OrderedJson::parse(assay("list reports --format json"));
  bool seen = false;
  for (const OrderedJson& file : files) {
    EXPECT_TRUE(file["problems"].is_number()) << file;
    for (const char* table : {"kernels", "graphs", "spans", "ops"}) {
      EXPECT_FALSE(file[table].is_string()) << file;
      seen = seen || file[table].is_null();
    }
  }
  EXPECT_TRUE(seen);
}

TEST_F(Listings, EveryCommandOffersAFormatOrListsNothing) {
  std::set<std::string> known;
  for (const Listing& listing : kListings) known.insert(listing.command);
  known.insert(std::begin(kTestedElsewhere), std::end(kTestedElsewhere));
  std::istringstream help(assay("--help"));
  std::string line;
  std::size_t commands = 0;
  while (std::getline(help, line)) {
    if (!line.starts_with("  ") || line.size() < 20 || std::islower(static_cast<unsigned char>(line[2])) == 0) continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    if (command == "assay") continue;  // an example
    ++commands;
    const bool lists = std::ranges::find(kNoList, command) == std::end(kNoList);
    EXPECT_EQ(known.contains(command), lists) << command << " is in no list of this test, or in two";
    const bool offers = assay(command + " --help").find("--format") != std::string::npos;
    EXPECT_EQ(offers, lists) << command;
  }
  EXPECT_EQ(commands, known.size() + std::size(kNoList));
}

}  // namespace
}  // namespace assay::testing
