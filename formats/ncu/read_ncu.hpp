// Reads CSVs and reports of Nsight Compute into the profiled launches and counters of a profile.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "assay/format.hpp"
#include "formats/ncu/layout.hpp"
#include "formats/ncu/source_rows.hpp"
#include "formats/ncu/unit.hpp"
#include "formats/ncu/unreadable.hpp"

namespace assay::ncu {

/// Collects the files of one run: rows with the same process, ID and kernel are one launch, even if its details page
/// and raw page are in different files.
class NcuReader {
 public:
  explicit NcuReader(TableSink& out) : out_(out) {
    if (out.wants(col::declared)) source_.emplace(out);
  }

  /// Adds a file; partial problems become issues. Throws Unreadable: the file cannot be read or contains no profiled
  /// kernel, including what Nsight Compute says about the reason. A .ncu-rep is recognised by its first bytes.
  void read(const std::filesystem::path& file);

  /// Sorts the counters, removes duplicates, derives shapes, fills the tables, and turns words into properties
  /// "ncu.NAME". Call once, after the last file.
  void finish();

 private:
  /// A number with two readings, of which the alternative is kept here.
  struct Ambiguous {
    std::size_t counter;
    double comma;
  };
  /// Of one file.
  struct FileState {
    std::string name;
    std::optional<NcuLayout> layout;
    std::int64_t headers = 0, rows = 0, bad_rows = 0, not_available = 0;
    std::uint64_t nameless = 0, bad_cells = 0, numberless = 0, with_unit = 0;
    std::uint64_t first_bad = 0;  ///< line
    bool point_seen = false, comma_seen = false;
    std::vector<Ambiguous> ambiguous;
  };

  /// Contents of a CSV or report for one launch.
  struct Launch {
    std::int64_t id = 0, process = kNone;
    StringId name = 0;
    std::array<std::int32_t, 3> grid = {kNone, kNone, kNone}, block = {kNone, kNone, kNone};
    std::int32_t device = kNone, context = kNone, stream = kNone;
  };
  struct Counter {
    Row launch;
    StringId section, name, unit;
    double value;
    [[nodiscard]] auto key() const { return std::tuple(launch, section, name, unit); }
  };
  class RepReader;

  void read_csv(const std::filesystem::path& file);
  void read_row(std::span<const std::string> cells, std::uint64_t line);
  void read_long_row(std::span<const std::string> cells, Row launch);
  void read_wide_row(std::span<const std::string> cells, Row launch);
  Row launch_of(std::span<const std::string> cells, std::int64_t id);
  Row row_of(std::int64_t process, const Launch& launch);
  void counter(Row launch, StringId section, std::string_view name, std::string_view unit, std::string_view text);
  void word(std::string_view name, std::string_view text);
  void push(Row launch, StringId section, StringId name, StringId unit, double value);
  void resolve_numbers();
  void issue(const char* name, Severity severity, std::uint64_t count, const std::string& text);
  void report_problems(const struct ReadProblems& around);
  void drop_repeated();
  void fill_launches();
  StringId intern(std::string_view text) { return out_.intern(text); }

  TableSink& out_;
  std::optional<SourceRows> source_;  ///< empty: counters of instructions are not requested
  std::vector<Launch> launches_;
  std::vector<Counter> counters_;
  FileState reading_;
  std::map<std::tuple<std::int64_t, std::int64_t, StringId>, Row> rows_;  // process, id, name
  std::map<std::string, BaseUnit, std::less<>> units_;
  std::set<std::pair<std::string, std::string>> words_;  ///< metrics with non-numeric values, with each value
};

}  // namespace assay::ncu
