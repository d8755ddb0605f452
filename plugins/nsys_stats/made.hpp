// What a report of nsys comes to: a table, or why there is none, and what is to be said beside it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algo/nsys/reports.hpp"
#include "assay/output.hpp"

namespace assay::nsys {

inline constexpr double kBytesPerMb = 1e6;
inline constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  ///< a number that is not there
inline constexpr const char* kNoCalls = "the export holds no CUDA API calls";

/// Something that the numbers do not show, or that nsys counts otherwise than one would think.
struct Remark {
  std::string name;
  std::int64_t count = 0;
  std::string text;
  friend bool operator==(const Remark&, const Remark&) = default;
};

struct ReportTable {
  std::optional<Table> table;
  std::string lack;  ///< without a table: why
  std::vector<Remark> remarks;
  std::vector<std::vector<std::int64_t>> values = {};  ///< behind each row of the table, where they were asked for
};

inline ReportTable lacking(std::string why) { return {std::nullopt, std::move(why), {}}; }

/// How the numbers come about: as nsys makes them, or as they should be where nsys counts twice.
enum class Mode : std::uint8_t { kExact, kCorrected };

/// One report to be made.
struct Task {
  AskedNsysReport asked;
  Mode mode = Mode::kExact;
  bool keeps_values = false;  ///< hand on what the rows were summed from, too
  [[nodiscard]] bool corrected() const { return mode == Mode::kCorrected; }
};

/// The table of a report, without columns yet.
inline Table table_of(const Task& task) {
  return {nsys_table_id(task.asked.text), std::string(task.asked.report->title)};
}

/// "[CUDA memcpy Host-to-Device]" of a CUPTI copy kind.
std::string copy_operation(std::int32_t kind);
inline constexpr std::string_view kSetOperation = "[CUDA memset]";

/// A grid or block as nsys prints it.
std::string shape(std::int32_t x, std::int32_t y, std::int32_t z);

/// Whether a device row is the window's.
template <class Events>
bool inside(const Events& events, std::size_t row) {
  return events.membership[row] == Membership::kInside;
}

/// Operating system's id of a row of processes or threads; no value for a row that there is not.
template <class People>
std::int64_t id_of(const People& people, std::uint32_t row) {
  return row < people.rows ? people.id[row] : kNoInteger;
}

}  // namespace assay::nsys
