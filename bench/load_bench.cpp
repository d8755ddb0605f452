// Loading, linking and nesting, each beside a yardstick in the same binary, because machines drift.
//
// ASSAY_BENCH_REPORT names the export to read (bench/run.sh makes one).
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "done.hpp"
#include "load/link.hpp"
#include "load/load.hpp"

namespace {

using namespace assay;

/// What run_summary wants.
const std::set<ColumnId> kWanted = {col::kernels, col::kernel_name, col::kernel_grid, col::kernel_block,
                                    col::graphs,  col::copies,      col::copy_bytes,  col::copy_direction,
                                    col::sets,    col::calls,       col::iterations};

const char* report() {
  const char* path = std::getenv("ASSAY_BENCH_REPORT");
  return path != nullptr ? path : "";
}

/// The yardstick: the same columns of the two large tables through sqlite3_step, added up.
void bare_loop(benchmark::State& state) {
  constexpr const char* kQueries[] = {
      "SELECT start, end, deviceId, streamId, globalPid, correlationId, demangledName, gridX, gridY, gridZ, blockX, "
      "blockY, blockZ "
      "FROM CUPTI_ACTIVITY_KIND_KERNEL",
      "SELECT start, end, globalTid, nameId, correlationId, eventClass FROM CUPTI_ACTIVITY_KIND_RUNTIME"};
  std::int64_t rows = 0;
  for (auto _ : state) {
    sqlite3* db = nullptr;
    const std::string uri = std::string("file:") + report() + "?immutable=1";
    if (sqlite3_open_v2(uri.c_str(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr) !=
        SQLITE_OK) {
      state.SkipWithError("set ASSAY_BENCH_REPORT to an export");
      break;
    }
    std::int64_t sum = 0;
    for (const char* query : kQueries) {
      sqlite3_stmt* statement = nullptr;
      sqlite3_prepare_v2(db, query, -1, &statement, nullptr);
      const int columns = sqlite3_column_count(statement);
      while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int c = 0; c < columns; ++c) sum += sqlite3_column_int64(statement, c);
        ++rows;
      }
      sqlite3_finalize(statement);
    }
    sqlite3_close(db);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(rows);
}
BENCHMARK(bare_loop)->Unit(benchmark::kMillisecond)->UseRealTime();

void load(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    const Result<Profile> profile =
        load_profile({report(), FileKind{"nsys", true}}, "report", kWanted, static_cast<unsigned>(state.range(0)));
    if (!profile) {
      state.SkipWithError(profile.error().sentence.c_str());
      break;
    }
    bytes = profile->bytes();
  }
  state.counters["column_bytes"] = static_cast<double>(bytes);
}
BENCHMARK(load)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void view(benchmark::State& state) {
  const Result<Profile> profile = load_profile({report(), FileKind{"nsys", true}}, "report", kWanted, 2);
  if (!profile) return state.SkipWithError(profile.error().sentence.c_str());
  for (auto _ : state) benchmark::DoNotOptimize(profile->view({}, {}));
}
BENCHMARK(view)->Unit(benchmark::kMillisecond);

/// Calls and kernels as CUPTI numbers them: one thread, ids that rise.
load::CallRows made_calls(std::size_t rows, load::Threads& threads) {
  load::CallRows calls;
  calls.each([&](auto& column) { column.make_present(rows); });
  const std::uint32_t thread = threads.add_thread(threads.add_process(1), 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto time = static_cast<std::int64_t>(1000 * i);
    calls.start.push(time);
    calls.end.push(time + 900);
    calls.thread.push(thread);
    calls.kind.push(CallKind::kKernelLaunch);
    calls.correlation.push(static_cast<std::int64_t>(i + 1));
  }
  return calls;
}

void link(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  load::Threads threads;
  const load::CallRows calls = made_calls(rows, threads);
  load::EventRows events;
  events.each([&](auto& column) { column.make_present(rows); });
  for (std::size_t i = 0; i < rows; ++i) {
    events.start.push(0);
    events.end.push(0);
    events.process.push(0);
    events.correlation.push(static_cast<std::int64_t>(i + 1));
  }
  for (auto _ : state) load::CallLinker(calls, threads).link(events);
  state.SetItemsProcessed(done(state, rows));
}
BENCHMARK(link)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void sweep(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  load::Threads threads;
  load::CallRows calls = made_calls(rows, threads);
  load::RangeRows ranges;
  ranges.each([&](auto& column) { column.make_present(rows); });
  for (std::size_t i = 0; i < rows; i += 10) {
    const auto time = static_cast<std::int64_t>(1000 * i);
    ranges.start.push(time);
    ranges.end.push(time + 9990);
    ranges.thread.push(0);
  }
  for (auto _ : state) {
    load::nest(ranges, 1);
    load::attribute(calls, ranges, 1);
  }
  state.SetItemsProcessed(done(state, rows));
}
BENCHMARK(sweep)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

/// The yardstick of link and sweep: moving as many bytes as the columns they touch.
void copy_columns(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  std::vector<std::int64_t> from(4 * rows, 1), to(4 * rows);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size() * sizeof(std::int64_t));
    benchmark::DoNotOptimize(to.data());
  }
  state.SetItemsProcessed(done(state, rows));
}
BENCHMARK(copy_columns)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
