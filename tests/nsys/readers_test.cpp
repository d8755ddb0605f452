// Both readers on every real export: equal in every column of every table.
#include "load/made_export.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::readers_test {

/// The bytes of all columns, by name.
using Content = std::map<std::string, std::string>;

template <class T>
void add(Content& content, const std::string& name, const Column<T>& column) {
  if (!column.present()) return;
  std::string& bytes = content[name];
  bytes = "present";
  if constexpr (std::is_same_v<T, Str>) {
    for (const Str text : column) bytes += std::string(text.view()) + '\n';
  } else {
    bytes.resize(bytes.size() + column.size * sizeof(T));
    if (column.size > 0) std::memcpy(bytes.data() + 7, column.data, column.size * sizeof(T));
  }
}

template <class Table>
void add_work(Content& c, const std::string& name, const Table* t) {
  if (t == nullptr) return;
  add(c, name + ".start", t->start);
  add(c, name + ".end", t->end);
  add(c, name + ".call", t->call);
  add(c, name + ".device", t->device);
  add(c, name + ".stream", t->stream);
  add(c, name + ".process", t->process);
}

void add_ranges(Content& c, const std::string& name, const RangeTable* t) {
  if (t == nullptr) return;
  add(c, name + ".start", t->start);
  add(c, name + ".end", t->end);
  add(c, name + ".name", t->name);
  add(c, name + ".domain", t->domain);
  add(c, name + ".thread", t->thread);
  add(c, name + ".parent", t->parent);
  add(c, name + ".open", t->open);
  add(c, name + ".end_thread", t->end_thread);
}

Content content_of(const Report& r) {
  Content c;
  add(c, "strings", r.strings);
  add_work(c, "kernels", r.kernels);
  add_work(c, "graphs", r.graphs);
  add_work(c, "copies", r.copies);
  add_work(c, "sets", r.sets);
  add_work(c, "syncs", r.syncs);
  if (const KernelTable* k = r.kernels) {
    add(c, "name", k->name);
    add(c, "short", k->short_name);
    add(c, "mangled", k->mangled_name);
    add(c, "context", k->context);
    add(c, "correlation", k->correlation);
    add(c, "grid_x", k->grid_x);
    add(c, "grid_y", k->grid_y);
    add(c, "grid_z", k->grid_z);
    add(c, "block_x", k->block_x);
    add(c, "block_y", k->block_y);
    add(c, "block_z", k->block_z);
    add(c, "registers", k->registers);
    add(c, "static", k->static_shared);
    add(c, "dynamic", k->dynamic_shared);
    add(c, "node", k->graph_node);
    add(c, "executed", k->executed_shared);
  }
  if (r.graphs != nullptr) add(c, "graph", r.graphs->graph);
  if (r.copies != nullptr) {
    add(c, "bytes", r.copies->bytes);
    add(c, "kind", r.copies->kind);
  }
  if (r.sets != nullptr) add(c, "set_bytes", r.sets->bytes);
  if (r.syncs != nullptr) {
    add(c, "sync_type", r.syncs->type);
    add(c, "sync_record", r.syncs->record);
    add(c, "sync_record_stream", r.syncs->record_stream);
  }
  if (const CallTable* t = r.calls) {
    add(c, "calls.start", t->start);
    add(c, "calls.end", t->end);
    add(c, "calls.thread", t->thread);
    add(c, "calls.name", t->name);
    add(c, "calls.range", t->range);
    add(c, "calls.correlation", t->correlation);
    add(c, "calls.return", t->return_value);
  }
  add_ranges(c, "ranges", r.ranges);
  add_ranges(c, "spans", r.spans);
  add(c, "threads", r.threads->id);
  add(c, "processes", r.processes->id);
  add(c, "issues.name", r.issues->name);
  add(c, "issues.count", r.issues->count);
  return c;
}

/// Whether a file was read without any refusal.
bool agree(const std::filesystem::path& file) {
  SCOPED_TRACE(file.string());
  const auto direct = load_profile({file, kind::kNsys}, "x", all_columns(), 1, Reader::kDirect);
  const auto sqlite = load_profile({file, kind::kNsys}, "x", all_columns(), 1, Reader::kSqlite);
  EXPECT_EQ(direct.ok(), sqlite.ok());
  if (!direct || !sqlite) return false;
  EXPECT_TRUE(sqlite->notes().empty());
  const auto a = direct->view({}, {}), b = sqlite->view({}, {});
  const Content of_direct = content_of(a->report()), of_sqlite = content_of(b->report());
  EXPECT_GE(of_sqlite.size(), 5U);
  const IssueTable& issues = *a->report().issues;
  for (std::size_t i = 0; i < issues.rows; ++i)
    EXPECT_FALSE(issues.name[i].view().starts_with("damaged")) << issues.text[i].view() << " is said of a sound file";
  for (const auto& [name, bytes] : of_sqlite) {
    const auto at = of_direct.find(name);
    EXPECT_TRUE(at != of_direct.end() && at->second == bytes) << name << " differs";
  }
  EXPECT_EQ(of_direct.size(), of_sqlite.size());
  return direct->notes().empty();
}

void agree_on(const char* variable) {
  ASSAY_REAL_FOLDER(folder, variable);
  std::size_t files = 0, whole = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".sqlite") continue;
    ++files;
    whole += agree(entry.path()) ? 1U : 0U;
  }
  ASSERT_GT(files, 0U);
  EXPECT_GT(2 * whole, files) << "most files are plain: the direct reader must not leave them to sqlite3";
}

TEST(Readers, AgreeOnTheExamples) { agree_on("examples"); }
TEST(Readers, AgreeOnThePublicExports) { agree_on("public"); }
TEST(Readers, AgreeOnTheWholeRuns) { agree_on("h200"); }

/// Processes, threads and texts are numbered as they come: numbers that depended on threads would change from run to
/// run. One row is deleted, so that the tables are counted again, and one value is out of range.
TEST(Readers, AnyNumberOfThreadsGivesTheSame) {
  MadeExport made;
  made.with_calls().with_kernels().with_ranges();
  const std::string numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299999) ";
  const std::string process = "((4 + i * 7919 % 5) << 24)", thread = "(" + process + " + 9 - i * 31 % 4)";
  made.add(numbers + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i * 1000, i * 1000 + 500, 0, " + thread +
           ", i + 1, 1 + i * 13 % 5, 0 FROM n;");
  made.add(numbers +
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 1000 + 400, i * 1000 + 900, i % 3, 1, 7, i + 1, " +
           process + ", 3 + i % 2, 4 - i % 2, 1, 1, CASE i WHEN 123456 THEN 1 << 40 ELSE 2 END FROM n;");
  made.add(numbers + "INSERT INTO NVTX_EVENTS SELECT i * 1000, i * 1000 + 800, 59, 'range ' || (i * 7 % 1000), " +
           thread + ", NULL, NULL, 0 FROM n WHERE i % 3 = 0;");
  for (const bool hole : {false, true}) {
    if (hole) made.add("DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid = 177777;");
    const auto file = made.write();
    Content first;
    const auto expect_same = [&](unsigned threads, Reader reader) {
      const auto profile = require(load_profile({file, kind::kNsys}, "x", all_columns(), threads, reader));
      EXPECT_TRUE(profile->notes().empty()) << "sqlite3 had to read it";
      const auto view = profile->view({}, {});
      const Content content = content_of(view->report());
      if (first.empty()) first = content;
      ASSERT_EQ(content.size(), first.size());
      for (const auto& [name, bytes] : first) EXPECT_TRUE(content.at(name) == bytes) << name << ", " << threads;
    };
    for (const unsigned threads : {1U, 2U, 8U}) expect_same(threads, Reader::kDirect);
    expect_same(1, Reader::kSqlite);
  }
}

}  // namespace assay::readers_test
