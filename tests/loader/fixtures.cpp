#include "fixtures.hpp"

#include <sqlite3.h>
#include <stdlib.h>

#include <atomic>
#include <iomanip>
#include <sstream>

#include "support/kinds.hpp"
#include "support/temp_folder.hpp"

namespace assay::fixture {
namespace fs = std::filesystem;

fs::path test_plugin(const std::string& name) {
  return fs::path(ASSAY_BINARY_DIR) / "tests/loader/plugins" / (name + ".so");
}

void add_plugins(const TempFolder& to, std::initializer_list<std::string> names) {
  for (const std::string& name : names) fs::copy_file(test_plugin(name), to / (name + ".so"));
}

void write_export(const fs::path& file, const std::vector<std::pair<std::int64_t, std::int64_t>>& kernels) {
  std::ostringstream sql;
  sql << "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
         "INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'some_kernel');"
         "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);"
         "INSERT INTO TARGET_INFO_GPU VALUES (0, 'Test GPU');"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,"
         " correlationId INTEGER, nameId INTEGER, returnValue INTEGER);"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,"
         " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,"
         " gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);";
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto [start, end] = kernels[i];
    sql << "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" << start - 5 << "," << start - 1 << ",0,16777217,"
        << i + 1 << ",1,0);INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" << start << "," << end << ",0,1,7," << i + 1
        << ",16777216,2,2,1,1,1,32,1,1);";
  }
  sqlite3* db = nullptr;
  char* message = nullptr;
  const bool written = sqlite3_open(file.c_str(), &db) == SQLITE_OK &&
                       sqlite3_exec(db, sql.str().c_str(), nullptr, nullptr, &message) == SQLITE_OK;
  const std::string problem = message == nullptr ? "cannot be opened" : message;
  sqlite3_free(message);
  sqlite3_close(db);
  if (!written) throw std::runtime_error(file.string() + ": " + problem);
}

TinyReport::TinyReport(const std::vector<std::pair<std::int64_t, std::int64_t>>& spans)
    : device_(spans.size() + 1, 0),
      stream_(spans.size() + 1, 7),
      process_(spans.size() + 1, 0),
      call_(spans.size() + 1, kNone),
      membership_(spans.size() + 1, Membership::kInside) {
  start_.reserve(spans.size() + 1);  // so that no column's data is null
  end_.reserve(spans.size() + 1);
  for (const auto& [start, end] : spans) {
    start_.push_back(start);
    end_.push_back(end);
  }
  const std::size_t rows = spans.size();
  kernels.rows = rows;
  kernels.start = {start_.data(), rows};
  kernels.end = {end_.data(), rows};
  kernels.device = {device_.data(), rows};
  kernels.stream = {stream_.data(), rows};
  kernels.process = {process_.data(), rows};
  kernels.call = {call_.data(), rows};
  kernels.membership = {membership_.data(), rows};
  report.path = "folder/tiny.sqlite";
  report.window = &window;
  report.kernels = &kernels;
  report.issues = &issues;
}

World::World() {
  question.id = "q";
  question.text = "Does it?";
  question.labels.labels.push_back({"size", LabelType::kInteger, {}, {}, kChangesKernels, false, false, {}, {}});
  question.labels.labels.push_back({"host", LabelType::kText, {}, {}, 0, true, false, {}, {}});
  plan.questions.push_back({&question, {}, {}, nullptr});
  plan.wanted = {col::kernels};
  catalog.questions.emplace_back();
}

const Plugin& World::add_linked(const Descriptor& descriptor) {
  Result<std::unique_ptr<Plugin>> plugin = Plugin::linked(descriptor);
  if (!plugin) throw std::runtime_error(plugin.error().sentence);
  linked_.push_back(std::move(*plugin));
  enable(*linked_.back());
  return *linked_.back();
}

void World::enable(const Plugin& plugin) { planned().analyzers.push_back({&plugin, OptionSet({}), {}}); }

void World::add_report(std::string name, fs::path file) {
  const std::size_t row = catalog.files.size();
  const std::uint64_t size = file.empty() ? 0 : fs::file_size(file);
  catalog.files.push_back({std::move(name), std::move(file), kind::kNsys, size, {}});
  CatalogEntry entry;
  entry.file = row;
  entry.labels = {{0, std::to_string(row), static_cast<double>(row), LabelOrigin::kName}};
  catalog.questions[0].entries.push_back(std::move(entry));
  results.emplace_back().loaded = true;
}

void World::add_claim(std::string id) {
  claims_.push_back(std::make_unique<ClaimConfig>());
  claims_.back()->id = std::move(id);
  claims_.back()->text = "It is so.";
  claims_.back()->source = "somebody";
  OptionSet::Entry metric{"metric", OptionType::kText, true, claims_.back()->id + ".metric"};
  std::vector<OptionSet::Entry> keys;
  keys.push_back(std::move(metric));
  planned().claims.push_back({claims_.back().get(), OptionSet(std::move(keys))});
  planned().judge = planned().analyzers.back().plugin;
}

Analysis World::analyze(unsigned jobs) {
  std::vector<Analyzers> analyzers;
  analyzers.push_back(Analyzers::make(planned()));
  const std::atomic<bool> stop{false};
  Analysis analysis = assay::analyze(plan, catalog, analyzers, stop, {.jobs = jobs});
  results = analysis.questions.front();
  return analysis;
}

QuestionResult World::conclude() {
  const Analyzers analyzers = Analyzers::make(planned());
  return assay::conclude({planned(), catalog, catalog.questions[0], results}, analyzers, {});
}

std::string text_of_result(const ReportResult& result) {
  std::ostringstream out;
  out << std::hexfloat << "loaded " << result.loaded << " lacking " << result.lacking << "\n";
  for (const Fact& fact : result.facts) {
    out << "fact " << fact.metric << " [" << fact.dims << "] " << fact.value << " of";
    for (const double sample : fact.samples) out << " " << sample;
    out << "\n";
  }
  for (const OwnedAttribute& a : result.attributes) out << "attribute " << a.name << " " << a.value << "\n";
  for (const OwnedTable& t : result.tables) out << "table " << t.analyzer << " " << t.id << " " << t.rows() << "\n";
  for (const OwnedIssue& i : result.issues) out << "issue " << i.name << " " << i.count << " " << i.text << "\n";
  for (const Skip& s : result.skips) {
    out << "skip " << s.report << " " << s.analyzer << " " << s.reason << " " << s.failed << "\n";
  }
  for (const std::string& note : result.notes) out << "note " << note << "\n";
  return out.str();
}

}  // namespace assay::fixture
