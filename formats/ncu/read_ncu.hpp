// CSVs and reports of Nsight Compute to the profiled launches and counters of a store.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "formats/ncu/layout.hpp"
#include "formats/ncu/unit.hpp"
#include "load/launch.hpp"
#include "load/store.hpp"
#include "result.hpp"

namespace assay::load {

/// Collects any number of files of one run: rows of one result (process, ID and kernel) are one launch, also where its
/// details page stands in one file and its raw page in another.
class NcuReader {
 public:
  /// Makes the tables of `store` exist, and fills them.
  explicit NcuReader(Profile::Store& store);

  /// Adds a file; what is wrong with parts of it becomes issues. Error, in one sentence: the file cannot be read or
  /// holds no profiled kernel, with what Nsight Compute says in it about why.
  /// A .ncu-rep is told by its first bytes.
  Status read(const std::filesystem::path& file);

  /// Sorts the counters, drops those that stand twice, finds shapes and groups, and makes words properties: "ncu.NAME".
  /// Call once, after the last file.
  LaunchGroups finish();

 private:
  /// Of two ways to read a number, the one that is not taken yet.
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

  /// What a CSV or a report says of one launch.
  struct Launch {
    std::int64_t id = 0, process = kNone;
    std::array<std::int32_t, 3> grid = {kNone, kNone, kNone}, block = {kNone, kNone, kNone};
    std::int32_t device = kNone, context = kNone, stream = kNone;
  };
  class RepReader;

  Status read_csv(const std::filesystem::path& file);
  void read_row(std::span<const std::string> cells, std::uint64_t line);
  void read_long_row(std::span<const std::string> cells, Row launch);
  void read_wide_row(std::span<const std::string> cells, Row launch);
  Row launch_of(std::span<const std::string> cells, std::int64_t id);
  Row row_of(const std::tuple<std::int64_t, std::int64_t, StringId>& key, const Launch& launch);
  void counter(Row launch, StringId section, std::string_view name, std::string_view unit, std::string_view text);
  void word(std::string_view name, std::string_view text);
  void push(Row launch, StringId section, StringId name, StringId unit, double value);
  void resolve_numbers();
  void issue(const char* name, Severity severity, std::uint64_t count, std::string text);
  void report_problems(const struct ReadProblems& around);
  void drop_repeated();

  Profile::Store& store_;
  ProfiledRows& launches_;
  CounterRows& counters_;
  FileState reading_;
  std::map<std::tuple<std::int64_t, std::int64_t, StringId>, Row> rows_;  // process, id, name
  std::map<std::string, BaseUnit, std::less<>> units_;
  std::set<std::pair<std::string, std::string>> words_;  ///< metrics whose value is no number, with each value
};

}  // namespace assay::load
