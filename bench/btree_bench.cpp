// Reading a table of $ASSAY_BENCH_REPORT into arrays: the page decoder beside the plain sqlite3_step loop and a memcpy
// of the same table's bytes. Each reads the same columns into the same, newly allocated arrays.
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "done.hpp"
#include "formats/btree/big_array.hpp"
#include "formats/btree/table_scan.hpp"

namespace {

using namespace assay::load::btree;

struct Table {
  const char* name;
  std::vector<const char*> wide;    ///< columns of 64-bit integers
  std::vector<const char*> narrow;  ///< columns of 32-bit integers
  std::vector<const char*> texts;
};

const Table kKernels{"CUPTI_ACTIVITY_KIND_KERNEL",
                     {"start", "end", "correlationId", "globalPid"},
                     {"deviceId", "contextId", "streamId", "demangledName", "shortName", "gridX", "gridY", "gridZ",
                      "blockX", "blockY", "blockZ"},
                     {}};
const Table kCalls{
    "CUPTI_ACTIVITY_KIND_RUNTIME", {"start", "end", "globalTid", "correlationId"}, {"nameId", "returnValue"}, {}};
const Table kRanges{"NVTX_EVENTS", {"start", "end", "globalTid", "rangeId"}, {"textId", "domainId"}, {"text"}};

const char* report() { return std::getenv("ASSAY_BENCH_REPORT"); }

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Database = std::unique_ptr<sqlite3, Close>;

Database open_database() {
  sqlite3* db = nullptr;
  const std::string uri = "file:" + std::string(report()) + "?immutable=1";
  sqlite3_open_v2(uri.c_str(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  return Database(db);
}

/// One array a column; neither reader pays for setting it to zero first.
struct Columns {
  std::vector<BigArray<std::int64_t>> wide;
  std::vector<BigArray<std::int32_t>> narrow;
  std::vector<BigArray<std::string_view>> texts;
  Columns(const Table& table, std::size_t rows) {
    for (std::size_t i = 0; i < table.wide.size(); ++i) wide.emplace_back(rows);
    for (std::size_t i = 0; i < table.narrow.size(); ++i) narrow.emplace_back(rows);
    for (std::size_t i = 0; i < table.texts.size(); ++i) texts.emplace_back(rows);
  }

  void keep_integers(const RowBatch& rows) {
    for (std::size_t i = 0; i < rows.integers.size(); ++i) {
      const std::span<const std::int64_t> cells = rows.integers[i];
      if (i < wide.size())
        std::ranges::copy(cells, wide[i].data() + rows.first_row);
      else
        std::ranges::transform(cells, narrow[i - wide.size()].data() + rows.first_row,
                               [](std::int64_t cell) { return static_cast<std::int32_t>(cell); });
    }
  }
  void keep_texts(const RowBatch& rows, std::pmr::memory_resource& to) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t row = 0; row < rows.rows; ++row)
        texts[i].data()[rows.first_row + row] = copied(rows.texts[i][row], to);
    }
  }

  static std::string_view copied(std::string_view text, std::pmr::memory_resource& to) {
    if (text.empty()) return text.data() == nullptr ? std::string_view() : std::string_view("");
    auto* const bytes = static_cast<char*>(to.allocate(text.size(), 1));
    std::ranges::copy(text, bytes);
    return {bytes, text.size()};
  }
};

Outcome<TableScan> plan(const Table& table, TableLayout& layout) {
  auto file = PageFile::open(report());
  if (auto* refusal = std::get_if<Refusal>(&file)) return std::move(*refusal);
  const Database db = open_database();
  auto described = describe_table(db.get(), table.name);
  if (auto* refusal = std::get_if<Refusal>(&described)) return std::move(*refusal);
  layout = std::get<TableLayout>(described);
  return TableScan::plan(std::get<PageFile>(file), layout);
}

void count(benchmark::State& state, const TableScan& scan) {
  const auto iterations = static_cast<double>(state.iterations());
  state.counters["rows/s"] = {static_cast<double>(scan.rows()) * iterations, benchmark::Counter::kIsRate};
  state.counters["ns/row"] = {static_cast<double>(scan.rows()) * iterations * 1e-9,
                              benchmark::Counter::kIsRate | benchmark::Counter::kInvert};
  state.SetBytesProcessed(done(state, scan.bytes()));
}

/// All that it takes: opening the file, the schema, the walk, arrays, decoding.
void direct(benchmark::State& state, const Table& table) {
  std::optional<TableScan> last;
  for (auto _ : state) {
    TableLayout layout;
    auto planned = plan(table, layout);
    if (auto* refusal = std::get_if<Refusal>(&planned)) return state.SkipWithError(refusal->sentence.c_str());
    auto& scan = std::get<TableScan>(planned);
    Columns columns(table, scan.rows());
    std::vector<WantedColumn> wanted;
    for (const auto* names : {&table.wide, &table.narrow}) {
      for (const char* name : *names) wanted.push_back({layout.find(name)});
    }
    for (const char* name : table.texts) wanted.push_back({layout.find(name), FieldKind::kText});
    std::pmr::monotonic_buffer_resource kept;
    const RowConsumer consumer{.in_order = [&](const RowBatch& rows) { columns.keep_texts(rows, kept); },
                               .at_once = [&](const RowBatch& rows) { columns.keep_integers(rows); }};
    const auto read = scan.read(wanted, -1, consumer, static_cast<unsigned>(state.range(0)));
    if (const auto* refusal = std::get_if<Refusal>(&read)) return state.SkipWithError(refusal->sentence.c_str());
    benchmark::DoNotOptimize(columns.wide[0].data());
    last = std::move(scan);
  }
  if (last) count(state, *last);
}

std::optional<TableScan> planned_for_yardstick(benchmark::State& state, const Table& table) {
  TableLayout layout;
  auto planned = plan(table, layout);
  if (auto* scan = std::get_if<TableScan>(&planned)) return std::move(*scan);
  state.SkipWithError(std::get<Refusal>(planned).sentence.c_str());
  return std::nullopt;
}

/// The loop that a reader without this decoder runs; texts are copied into one buffer.
void step_loop(benchmark::State& state, const Table& table) {
  const auto scan = planned_for_yardstick(state, table);
  if (!scan) return;
  std::string sql;
  for (const auto* names : {&table.wide, &table.narrow, &table.texts}) {
    for (const char* column : *names) sql.append(sql.empty() ? "SELECT " : ", ").append(column);
  }
  sql.append(" FROM ").append(table.name);
  for (auto _ : state) {
    const Database db = open_database();
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(db.get(), sql.c_str(), -1, &statement, nullptr);
    Columns columns(table, scan->rows());
    std::pmr::monotonic_buffer_resource kept;
    for (std::size_t row = 0; sqlite3_step(statement) == SQLITE_ROW; ++row) {
      int cell = 0;
      const auto integer = [&] {
        const bool null = sqlite3_column_type(statement, cell) == SQLITE_NULL;
        const std::int64_t value = null ? -1 : sqlite3_column_int64(statement, cell);
        ++cell;
        return value;
      };
      for (auto& column : columns.wide) column.data()[row] = integer();
      for (auto& column : columns.narrow) column.data()[row] = static_cast<std::int32_t>(integer());
      for (auto& column : columns.texts) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, cell));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, cell));
        column.data()[row] = text == nullptr ? std::string_view() : Columns::copied({text, size}, kept);
        ++cell;
      }
    }
    sqlite3_finalize(statement);
    benchmark::DoNotOptimize(columns.wide[0].data());
  }
  count(state, *scan);
}

/// As many bytes as the table's pages have, from memory to memory.
void copy(benchmark::State& state, const Table& table) {
  const auto scan = planned_for_yardstick(state, table);
  if (!scan) return;
  const std::vector<char> from(scan->bytes(), 1);
  std::vector<char> to(scan->bytes());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  count(state, *scan);
}

void add(const std::string& name, const Table& table) {
  const auto configure = [](benchmark::internal::Benchmark* bench) {
    bench->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
  };
  const auto threads = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  auto* decoder = benchmark::RegisterBenchmark((name + "/direct/threads").c_str(), direct, table)->Arg(1);
  if (threads > 1) decoder->Arg(threads);
  configure(decoder);
  configure(benchmark::RegisterBenchmark((name + "/sqlite3_step").c_str(), step_loop, table));
  configure(benchmark::RegisterBenchmark((name + "/memcpy").c_str(), copy, table));
}

}  // namespace

int main(int argc, char** argv) {
  if (report() == nullptr) {
    std::fputs("btree_bench: no report to read; set ASSAY_BENCH_REPORT to an nsys SQLite export.\n", stderr);
    return 2;
  }
  add("kernels", kKernels);
  add("calls", kCalls);
  add("ranges", kRanges);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
