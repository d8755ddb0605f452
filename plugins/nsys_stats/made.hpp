// The result of a report of nsys: a table or the reason for having none, and remarks.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/detail/nsys_reports.hpp"
#include "assay/output.hpp"

namespace assay::nsys {

inline constexpr double kBytesPerMb = 1e6;
inline constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  ///< a missing number
inline constexpr const char* kNoCalls = "the export holds no CUDA API calls";

/// Something that the numbers hide, or an unexpected way of counting in nsys.
struct Remark {
  std::string name;
  std::int64_t count = 0;
  std::string text;
  friend bool operator==(const Remark&, const Remark&) = default;
};

struct ReportTable {
  std::optional<Table> table;
  std::string lack;  ///< why there is no table
  std::vector<Remark> remarks;
  std::vector<std::vector<std::int64_t>> values = {};  ///< behind each row of the table, if requested
};

inline ReportTable lacking(std::string why) { return {std::nullopt, std::move(why), {}}; }

/// How numbers are computed: as in nsys, or without its double counting.
enum class Mode : std::uint8_t { kExact, kCorrected };

/// A requested report.
struct Task {
  AskedNsysReport asked;
  Mode mode = Mode::kExact;
  bool keeps_values = false;  ///< also pass on the values behind the rows
  [[nodiscard]] bool corrected() const { return mode == Mode::kCorrected; }
};

/// The table of a report, without columns.
inline Table table_of(const Task& task) {
  return {nsys_table_id(task.asked.text), std::string(task.asked.report->title)};
}

/// "[CUDA memcpy Host-to-Device]" for a CUPTI copy kind.
std::string copy_operation(std::int32_t kind);
inline constexpr std::string_view kSetOperation = "[CUDA memset]";

/// A grid or block in the notation of nsys.
std::string shape(std::int32_t x, std::int32_t y, std::int32_t z);

/// Whether a device row belongs to the window.
template <class Events>
bool inside(const Events& events, std::size_t row) {
  return events.membership[row] == Membership::kInside;
}

/// The operating system's id for a row of processes or threads; no value for an invalid row.
template <class People>
std::int64_t id_of(const People& people, std::uint32_t row) {
  return row < people.rows ? people.id[row] : kNoInteger;
}

}  // namespace assay::nsys
