// Calls that an export lists twice, counted as in nsys.
#pragma once

#include <optional>
#include <vector>

#include "assay/report.hpp"

namespace assay::nsys {

/// A report whose calls are all rows of the export, including those that list a call again under another name. Work is
/// attributed to every call with its process and correlation id (calls.twin).
class WithRepeats {
 public:
  explicit WithRepeats(const Report& report);
  [[nodiscard]] const Report& report() const { return report_; }

 private:
  void merge_calls(const CallTable& calls, const CallTable& repeats);
  void find_twins(const Report& report);
  template <class Table>
  void relink(const Table* events, std::optional<Table>& own, const Table*& place, std::vector<Row>& call);

  Report report_;
  CallTable calls_;
  std::optional<KernelTable> kernels_;
  std::optional<CopyTable> copies_;
  std::optional<SetTable> sets_;
  std::vector<std::int64_t> start_, end_, correlation_;
  std::vector<std::uint32_t> thread_;
  std::vector<CallKind> kind_;
  std::vector<std::uint8_t> in_window_;
  std::vector<StringId> full_name_;
  std::vector<std::int32_t> return_value_;
  std::vector<Row> range_, twin_, new_row_;  ///< new_row_: by row of the report's calls
  std::vector<Row> first_;                   ///< for calls that share an id: the first one, to which work is linked
  std::vector<Row> kernel_call_, copy_call_, set_call_;
};

}  // namespace assay::nsys
