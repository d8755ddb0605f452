// A profiler of the tests: writes a real export of a run that it makes up, and behaves as badly as it is told.
//
//   profiled -o REPORT [--] WORD...
//
// Words: time=NS of a kernel; effect=FACTOR on it; noise=SD of its log from run to run; bytes=N copied in a step; waits
// (for each kernel); dated (says when it began); steps=N (of 4); windows=N (REPORT.1 to REPORT.N), drift=PART (window W
// takes longer by it, times (W - 1) squared), lost=W (is not written); write=SECONDS for each step; then what else
// happens: fail, oom, permission, numa, hang, stubborn (ignores TERM), orphan (leaves a sleeping process), stray (the
// same under another name than its own), daemon=FILE (leaves a process that nothing marks), nothing (no report),
// pass=SECONDS (says that it measured so), print=BYTES, sleep=SECONDS, once=FILE (does the rest only while FILE is not
// there), count=FILE (a line a run).
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "assay/detail/random.hpp"

namespace {

struct Program {
  double kernel_ns = 0;
  long long bytes = 0;  ///< copied to the device in each step; 0: no copies were traced
  bool waits = false;   ///< for each kernel, by cudaStreamSynchronize
  long long begun = 0;  ///< ns since the epoch; 0: not written
  int steps = 4;
};

std::string export_of(const Program& program) {
  const auto [kernel_ns, bytes, waits, begun, steps] = program;
  std::string sql =
      "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
      "INSERT INTO StringIds VALUES(1,'cudaLaunchKernel_v7000'),(3,'kernel_a');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, eventClass INT, globalTid INT, correlationId INT,"
      " nameId INT, returnValue INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
      " correlationId INT, globalPid INT, demangledName INT, shortName INT, gridX INT, gridY INT, gridZ INT, blockX "
      "INT,"
      " blockY INT, blockZ INT);"
      "CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT, globalTid INT, endGlobalTid INT, textId "
      "INT,"
      " domainId INT);";
  if (bytes > 0)
    sql +=
        "INSERT INTO StringIds VALUES(4,'cudaMemcpyAsync_v3020');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
        " correlationId INT, globalPid INT, bytes INT, copyKind INT);";
  constexpr long long kProcess = 1LL << 24;
  if (waits) sql += "INSERT INTO StringIds VALUES(5,'cudaStreamSynchronize_v3020');";
  long long now = 1000;
  for (int step = 0; step < steps; ++step) {
    const long long begin = now;
    for (int k = 0; k < 3; ++k) {
      const int id = step * 3 + k;
      const auto busy = static_cast<long long>(kernel_ns) + k;
      char text[400];
      std::snprintf(text, sizeof text,
                    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(%lld,%lld,0,%lld,%d,1,0);"
                    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(%lld,%lld,0,1,7,%d,%lld,3,3,1,1,1,128,1,1);",
                    now, now + 10, kProcess + 1, id, now + 20, now + 20 + busy, id, kProcess);
      sql += text;
      if (waits) {
        std::snprintf(text, sizeof text, "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(%lld,%lld,0,%lld,%d,5,0);",
                      now + 12, now + 25 + busy, kProcess + 1, 500 + id);
        sql += text;
      }
      now += busy + 40;
    }
    if (bytes > 0) {
      char text[400];
      std::snprintf(text, sizeof text,
                    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(%lld,%lld,0,%lld,%d,4,0);"
                    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(%lld,%lld,0,1,7,%d,%lld,%lld,1);",
                    now, now + 5, kProcess + 1, 1000 + step, now + 6, now + 16, 1000 + step, kProcess, bytes);
      sql += text;
      now += 20;
    }
    sql += "INSERT INTO NVTX_EVENTS VALUES(" + std::to_string(begin) + "," + std::to_string(now) + ",59,'step_" +
           std::to_string(step) + "'," + std::to_string(kProcess + 1) + ",NULL,NULL,0);";
    now += 100;
  }
  if (begun > 0)
    sql +=
        "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INT, utcTime TEXT);"
        "INSERT INTO TARGET_INFO_SESSION_START_TIME SELECT " +
        std::to_string(begun) + ", datetime(" + std::to_string(begun / 1'000'000'000) + ", 'unixepoch');";
  return "BEGIN;" + sql +
         "CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);"
         "INSERT INTO META_DATA_EXPORT VALUES('EXPORT_PRODUCT_VERSION','2025.1.3.140');COMMIT;";
}

bool write_export(const std::string& file, const Program& program) {
  sqlite3* db = nullptr;
  if (sqlite3_open(file.c_str(), &db) != SQLITE_OK) return false;
  sqlite3_exec(db, "PRAGMA synchronous=OFF;", nullptr, nullptr, nullptr);
  const bool done = sqlite3_exec(db, export_of(program).c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  sqlite3_close(db);
  return done;
}

/// A process without this one's parent, session, environment, name and output, which ignores TERM; its id goes to the
/// file. Returns when it is one.
void leave_a_daemon(const std::string& file) {
  const pid_t middle = fork();
  if (middle > 0) waitpid(middle, nullptr, 0);
  if (middle != 0) return;
  setsid();
  signal(SIGTERM, SIG_IGN);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) _exit(1);
  const pid_t daemon = fork();
  if (daemon != 0) {
    close(ends[1]);
    char none = 0;
    while (read(ends[0], &none, 1) > 0) continue;  // ends when the other program has begun
    std::ofstream(file, std::ios::app) << daemon << "\n";
    _exit(0);
  }
  for (int descriptor = 0; descriptor < 64; ++descriptor) {
    if (descriptor != ends[1]) close(descriptor);
  }
  char* const nothing[] = {nullptr};
  execle("/bin/sleep", "sleep", "3600", nullptr, nothing);
  _exit(1);
}

int print_and_return(const char* text, int code) {
  std::fprintf(stderr, "%s\n", text);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const auto begun = std::chrono::system_clock::now().time_since_epoch();
  std::string report;
  std::map<std::string, std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    if (word == "--version") return print_and_return("profiled 1.0", 0);
    if (word == "-o" && i + 1 < argc)
      report = argv[++i];
    else
      words[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
  }
  if (words.count("count") > 0) std::ofstream(words["count"], std::ios::app) << report << "\n";
  const bool once = words.count("once") > 0 && std::filesystem::exists(words["once"]);
  if (words.count("once") > 0 && !once) std::ofstream(words["once"]) << "done\n";
  const auto is = [&](const char* word) { return words.count(word) > 0 && !once; };
  if (is("stubborn")) signal(SIGTERM, SIG_IGN);
  if (is("orphan") && fork() == 0) {
    setsid();
    sleep(3600);
  }
  if (is("stray")) {
    prctl(PR_SET_NAME, "stray");  // before there is a child, which the recorder may look at at once
    if (fork() != 0) {
      prctl(PR_SET_NAME, "profiled");
    } else {
      setsid();
      sleep(3600);
    }
  }
  if (is("daemon")) leave_a_daemon(words["daemon"]);
  if (is("print")) {
    const std::string line(1023, 'x');
    for (long bytes = std::atol(words["print"].c_str()); bytes > 0; bytes -= 1024) std::puts(line.c_str());
  }
  if (is("sleep")) usleep(static_cast<useconds_t>(1e6 * std::atof(words["sleep"].c_str())));
  if (is("hang") || is("stubborn")) {
    std::printf("waiting\n");
    std::fflush(stdout);
    while (true) sleep(3600);
  }
  if (is("fail")) return print_and_return("Traceback (most recent call last):\nValueError: told to fail", 3);
  if (is("oom")) return print_and_return("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", 1);
  if (is("permission")) return print_and_return("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission", 1);
  if (is("numa")) return print_and_return("libnuma: Warning: node argument 7 is out of range", 1);
  if (is("nothing")) return 0;
  if (is("pass")) std::printf("{\"elapsed_s\": %s}\nGenerated:\n\t%s.sqlite\n", words["pass"].c_str(), report.c_str());
  const auto number = [&](const char* word, double usual) {
    return words.count(word) > 0 ? std::atof(words[word].c_str()) : usual;
  };
  // Only the file of the report (with its folders below profiles) tells runs apart, so that each is the same again,
  // also at another attempt.
  const std::size_t at = report.find("unfinished");
  std::string run = at == std::string::npos ? report : report.substr(at);
  if (const std::size_t again = run.find(".attempt_"); again != std::string::npos)
    run.erase(again, run.find('/', again) - again);
  assay::Random random(run);
  const double time = number("time", 50000) * number("effect", 1) * std::exp(number("noise", 0.01) * random.normal());
  usleep(static_cast<useconds_t>(1e6 * number("write", 0) * number("steps", 4)));
  Program program{time, static_cast<long long>(number("bytes", 0)), words.count("waits") > 0,
                  words.count("dated") > 0 ? std::chrono::nanoseconds(begun).count() : 0,
                  static_cast<int>(number("steps", 4))};
  const bool numbered = words.count("windows") > 0;
  bool written = true;
  for (int window = 1; window <= (numbered ? number("windows", 1) : 1); ++window) {
    program.kernel_ns = time * (1 + number("drift", 0) * (window - 1) * (window - 1));
    if (is("lost") && window == number("lost", 0)) continue;
    const std::string file = report + (numbered ? "." + std::to_string(window) : "") + ".sqlite";
    written = write_export(file, program) && written;
  }
  return written ? 0 : print_and_return("the report cannot be written", 5);
}
