// --format of every command that lists: the same rows as a table, as CSV and as JSON.
#include <sys/inotify.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::listings_test {

using OrderedJson = nlohmann::ordered_json;

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
constexpr const char* kNoList[] = {"look",   "budget", "timeline", "run", "show", "compare",
                                   "submit", "merge",  "convert",  "new", "mcp",  "completion"};

class Listings : public ::testing::Test {
 protected:
  Listings() { prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path()); }

  std::string assay(const std::string& arguments) {
    const Outcome outcome = run_assay(scratch_.path(), split_command(arguments));
    EXPECT_EQ(outcome.exit, 0) << arguments << "\n" << outcome.err;
    return outcome.out;
  }

  TempFolder scratch_;
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
      EXPECT_EQ(csv.front(), titles) << call;
      EXPECT_EQ(csv[r + 1], cells) << call;
    }
  }
}

TEST_F(Listings, TablesHaveTheirTitlesAndFirstCells) {
  for (const Listing& listing : kListings) {
    const std::string call = listing.arguments;
    if (call.starts_with("plan") || call.starts_with("describe")) continue;  // in words
    const std::string table = assay(call), first = table.substr(0, table.find("\n\n"));
    for (const auto& row : csv_rows(assay(call + " --format csv"))) EXPECT_TRUE(contains(table, row.front())) << call;
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
    const bool offers = assay(command + " --help").find("--format table|") != std::string::npos;
    EXPECT_EQ(offers, lists) << command;
  }
  EXPECT_EQ(commands, known.size() + std::size(kNoList));
}

/// How often a file is opened while a command runs.
std::size_t opened(const fs::path& file, const std::function<void()>& run) {
  const int watch = inotify_init1(IN_NONBLOCK);
  // Closing too, because equal events that nobody read yet are one.
  EXPECT_GE(inotify_add_watch(watch, file.c_str(), IN_OPEN | IN_CLOSE), 0);
  run();
  alignas(inotify_event) char events[1 << 16];
  const ssize_t bytes = read(watch, events, sizeof events);
  close(watch);
  std::size_t count = 0;
  for (ssize_t at = 0; at < bytes; at += static_cast<ssize_t>(sizeof(inotify_event))) {  // of a file: without a name
    inotify_event event{};
    std::memcpy(&event, events + at, sizeof event);
    count += (event.mask & IN_OPEN) != 0 ? 1U : 0U;
  }
  return count;
}

TEST_F(Listings, APlanReadsEachProfileOnceForAllQuestions) {
  const std::string question = read_text(scratch_ / "config.toml");
  std::string all = "[study]\ntitle = \"t\"\nconfigs = [";
  for (const std::string id : {"one", "two", "three"}) {
    std::string text = question;
    write_text(scratch_ / (id + ".toml"), text.replace(text.find("\"small\""), 7, "\"" + id + "\""));
    all += "\"" + id + ".toml\", ";
  }
  write_text(scratch_ / "study.toml", all + "]\n");
  const fs::path profile = scratch_ / "reports/runs/vit1.sqlite";
  const std::size_t of_one = opened(profile, [&] { assay("plan one.toml --reports reports"); });
  const std::size_t of_three = opened(profile, [&] { assay("plan study.toml --reports reports"); });
  EXPECT_GT(of_one, 1U) << "recognised and read";
  EXPECT_EQ(of_three, of_one);
}

}  // namespace assay::testing::listings_test
