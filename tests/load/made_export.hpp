// An nsys-like database made from SQL, in a folder that goes away with it.
#pragma once

#include "load/load.hpp"
#include "support/kinds.hpp"
#include "support/sql.hpp"
#include "support/test.hpp"

namespace assay {

/// A process and a thread of it as nsys numbers them.
constexpr std::int64_t pid(std::int64_t process) { return process << 24; }
constexpr std::int64_t tid(std::int64_t process, std::int64_t thread) { return pid(process) + thread; }

/// The tables of one export, in the shortest layout that the reader must accept. Add SQL, then load.
class MadeExport {
 public:
  MadeExport() {
    sql_ =
        "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
        "INSERT INTO StringIds "
        "VALUES(1,'cudaLaunchKernel_v7000'),(2,'cudaMemcpyAsync_v3020'),(3,'kernel_a'),(4,'kernel_b'),"
        "(5,'cudaDeviceSynchronize_v3020'),(6,'registered'),(900000,'far away');";
  }
  MadeExport& with_calls() {
    return add(
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, eventClass INT, globalTid INT, correlationId INT,"
        " nameId INT, returnValue INT);");
  }
  MadeExport& with_kernels() {
    return add(
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
        " correlationId INT, globalPid INT, demangledName INT, shortName INT, gridX INT, gridY INT, gridZ INT);");
  }
  MadeExport& with_ranges() {
    return add(
        "CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT, globalTid INT, endGlobalTid INT, "
        "textId INT,"
        " domainId INT);");
  }
  MadeExport& call(std::int64_t start, std::int64_t end, std::int64_t thread, std::int64_t correlation, int name = 1,
                   int event_class = 0) {
    return add("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(" +
               list({start, end, event_class, thread, correlation, name, 0}) + ");");
  }
  MadeExport& kernel(std::int64_t start, std::int64_t end, std::int64_t process, std::int64_t correlation, int name = 3,
                     int stream = 7) {
    return add("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" +
               list({start, end, 0, 1, stream, correlation, process, name, name, 1, 1, 1}) + ");");
  }
  /// `end` below 0: never ended.
  MadeExport& range(std::int64_t start, std::int64_t end, const std::string& text, std::int64_t thread, int type = 59) {
    return add("INSERT INTO NVTX_EVENTS VALUES(" + std::to_string(start) + "," +
               (end < 0 ? "NULL" : std::to_string(end)) + "," + std::to_string(type) + ",'" + text + "'," +
               std::to_string(thread) + ",NULL,NULL,0);");
  }
  MadeExport& add(const std::string& sql) {
    sql_ += sql;
    return *this;
  }

  /// How texts are stored: "UTF-16be".
  MadeExport& encoded(const std::string& encoding) {
    before_ = "PRAGMA encoding = '" + encoding + "';";
    return *this;
  }

  [[nodiscard]] std::filesystem::path write() {
    const auto file = folder_.path() / "made.sqlite";
    std::filesystem::remove(file);
    run_sql(file, before_ + "PRAGMA synchronous = OFF; BEGIN;" + sql_ + "COMMIT;");
    return file;
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  static std::string list(std::initializer_list<std::int64_t> values) {
    std::string out;
    for (const std::int64_t value : values) out += (out.empty() ? "" : ",") + std::to_string(value);
    return out;
  }

  TempFolder folder_;
  std::string before_, sql_;
};

/// Everything there is to want.
inline std::set<ColumnId> all_columns() {
  return {col::kernels,
          col::kernel_name,
          col::kernel_short_name,
          col::kernel_mangled_name,
          col::kernel_context,
          col::kernel_grid,
          col::kernel_block,
          col::kernel_registers,
          col::kernel_shared,
          col::kernel_graph_node,
          col::kernel_correlation,
          col::graphs,
          col::graph_id,
          col::copies,
          col::copy_bytes,
          col::copy_direction,
          col::sets,
          col::set_bytes,
          col::calls,
          col::call_name,
          col::call_range,
          col::call_correlation,
          col::call_return_value,
          col::ranges,
          col::spans,
          col::syncs,
          col::sync_record,
          col::iterations,
          col::devices};
}

/// A profile and one view of it.
struct LoadedView {
  explicit LoadedView(const std::filesystem::path& file, WindowSpec window = {}, IterationSpec iterations = {},
                      const std::set<ColumnId>& wanted = all_columns())
      : profile(load_profile({file, kind::kNsys}, file.filename().string(), wanted, 2)),
        view(look(window, iterations)) {}
  [[nodiscard]] const Report& report() const { return (*view).report(); }
  /// Count of an issue, or nothing when there is none of that name.
  [[nodiscard]] std::optional<std::int64_t> issue(std::string_view name) const {
    const IssueTable& issues = *report().issues;
    for (std::size_t i = 0; i < issues.rows; ++i) {
      if (issues.name[i] == name) return issues.count[i];
    }
    return std::nullopt;
  }

  Result<Profile> profile;
  Result<Profile::View> view;

 private:
  Result<Profile::View> look(const WindowSpec& window, const IterationSpec& iterations) const {
    if (!profile) throw std::runtime_error(profile.error().sentence);
    return (*profile).view(window, iterations);
  }
};

}  // namespace assay
