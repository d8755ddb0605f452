// Writes a made-up Nsight Systems export of any size: make_report --kernels N --output FILE [--ranges N].
//
// Shaped like a real inference capture: one process, one launching thread, three API calls a kernel (two of them
// launches' neighbours), kernels back to back on one stream with copies on two others, nested NVTX ranges.
// Deterministic.
#include <sqlite3.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::int64_t kProcess = 0x1000012340000;  // a globalPid as nsys writes it: the low 24 bits are the thread
constexpr std::int64_t kThread = kProcess + 0x1235;
constexpr int kNames = 40;

class Database {
 public:
  explicit Database(const std::string& path) {
    std::remove(path.c_str());
    if (sqlite3_open(path.c_str(), &db_) != SQLITE_OK) throw std::runtime_error("cannot write " + path);
    run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA page_size=4096; BEGIN");
  }
  ~Database() {
    sqlite3_exec(db_, "COMMIT", nullptr, nullptr, nullptr);
    sqlite3_close(db_);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* sql) {
    if (sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(db_));
  }
  [[nodiscard]] sqlite3* handle() const { return db_; }

 private:
  sqlite3* db_ = nullptr;
};

/// Inserts rows of integers; kNull is NULL.
class Inserter {
 public:
  static constexpr std::int64_t kNull = INT64_MIN;
  Inserter(const Database& db, const std::string& table, std::size_t columns) {
    std::string sql = "INSERT INTO " + table + " VALUES (?";
    for (std::size_t i = 1; i < columns; ++i) sql += ",?";
    if (sqlite3_prepare_v2(db.handle(), (sql + ")").c_str(), -1, &statement_, nullptr) != SQLITE_OK) {
      throw std::runtime_error(sqlite3_errmsg(db.handle()));
    }
  }
  ~Inserter() { sqlite3_finalize(statement_); }
  Inserter(const Inserter&) = delete;
  Inserter& operator=(const Inserter&) = delete;

  void add(const std::vector<std::int64_t>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] == kNull)
        sqlite3_bind_null(statement_, static_cast<int>(i) + 1);
      else
        sqlite3_bind_int64(statement_, static_cast<int>(i) + 1, cells[i]);
    }
    sqlite3_step(statement_);
    sqlite3_reset(statement_);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

constexpr const char* kSchema = R"(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
 contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
 demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER,
 registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,
 blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL,
 dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL,
 gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
 globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
 contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
 copyKind INTEGER NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER,
 color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
)";

void write_strings(Database& db) {
  std::string sql;
  const auto add = [&](int id, const std::string& text) {
    sql += "INSERT INTO StringIds VALUES(" + std::to_string(id) + ",'" + text + "');";
  };
  add(1, "cudaLaunchKernel_v7000");
  add(2, "cudaStreamIsCapturing_v10000");
  add(3, "cuKernelGetName");
  add(4, "cudaMemcpyAsync_v3020");
  add(5, "iteration");
  add(6, "layer");
  for (int i = 0; i < kNames; ++i)
    add(100 + i, "void kernel_of_some_length<float, " + std::to_string(i) + ">(float const*, float*, int)");
  db.run(sql.c_str());
}

void write_report(const std::string& path, std::int64_t kernels, std::int64_t ranges) {
  Database db(path);
  db.run(kSchema);
  write_strings(db);
  constexpr std::int64_t kNull = Inserter::kNull;
  Inserter kernel(db, "CUPTI_ACTIVITY_KIND_KERNEL", 28), call(db, "CUPTI_ACTIVITY_KIND_RUNTIME", 8);
  Inserter copy(db, "CUPTI_ACTIVITY_KIND_MEMCPY", 9), range(db, "NVTX_EVENTS", 11);
  const std::int64_t kernels_a_range = ranges > 0 ? std::max<std::int64_t>(1, kernels / ranges) : 0;
  std::int64_t host = 1'000'000, device = host, correlation = 1'000'000;
  for (std::int64_t k = 0; k < kernels; ++k) {
    const std::int64_t duration = 1500 + (k * 7919) % 9000;
    if (kernels_a_range > 0 && k % kernels_a_range == 0) {
      const bool outer = (k / kernels_a_range) % 8 == 0;
      range.add({host, host + (outer ? 8 : 1) * kernels_a_range * 7000, 59, kNull, kNull, kNull, kNull, kThread, kNull,
                 outer ? 5 : 6, 0});
    }
    call.add({host, host + 300, 0, kThread, correlation, 2, 0, kNull});
    call.add({host + 400, host + 3000 + (k * 31) % 2000, 0, kThread, correlation + 1, 1, 0, kNull});
    if (k % 5 < 4) call.add({host + 5500, host + 5700, 1, kThread, correlation + 2, 3, 0, kNull});
    device = std::max(device + 800, host + 4000);
    const std::int64_t name = 100 + (k * 13) % kNames;
    kernel.add({device,
                device + duration,
                0,
                1,
                kNull,
                7,
                correlation + 1,
                kProcess,
                name,
                name,
                kNull,
                1,
                1,
                32 + k % 64,
                1 + k % 1024,
                1,
                1,
                128,
                1,
                1,
                0,
                0,
                0,
                250871808,
                78324 + k,
                32768,
                kNull,
                0});
    device += duration;
    if (k % 130 == 0) {
      call.add({host + 6000, host + 6400, 0, kThread, correlation + 3, 4, 0, kNull});
      copy.add({device, device + 90'000, 0, 1, 13, correlation + 3, kProcess, 4'816'896, 1 + k % 2});
    }
    correlation += 4;
    host += 7000;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t kernels = 0, ranges = 31'000;
  std::string output;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--kernels")
      kernels = std::atoll(argv[i + 1]);
    else if (option == "--ranges")
      ranges = std::atoll(argv[i + 1]);
    else if (option == "--output")
      output = argv[i + 1];
  }
  if (kernels <= 0 || output.empty()) {
    std::fprintf(stderr, "usage: make_report --kernels N --output FILE [--ranges N]\n");
    return 2;
  }
  try {
    write_report(output, kernels, ranges);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "make_report: %s\n", e.what());
    return 1;
  }
  return 0;
}
