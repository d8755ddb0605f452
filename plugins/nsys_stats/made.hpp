// What a report of nsys comes to: a table, or why there is none, and what is to be said beside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/nsys_reports.hpp"
#include "assay/output.hpp"

namespace assay::nsys {

/// Something that the numbers do not show, or that nsys counts otherwise than one would think.
struct Remark {
  std::string name;
  std::int64_t count = 0;
  std::string text;
  friend bool operator==(const Remark&, const Remark&) = default;
};

struct Made {
  std::optional<Table> table;
  std::string lack;  ///< without a table: why
  std::vector<Remark> remarks;
};

inline Made lacking(std::string why) { return {std::nullopt, std::move(why), {}}; }

/// The table of a report, without columns yet.
inline Table table_of(std::string_view report) {
  return {nsys_table_id(report), std::string(find_nsys_report(report)->title)};
}

/// "[CUDA memcpy Host-to-Device]" of a CUPTI copy kind.
std::string copy_operation(std::int32_t kind);
inline constexpr std::string_view kSetOperation = "[CUDA memset]";

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
