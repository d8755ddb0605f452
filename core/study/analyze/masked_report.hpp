// A report as one analyzer may see it: the tables and columns that it declared, whatever others asked for.
//
// Without this a column read without being declared is there by accident beside an analyzer that declares it, and not
// there alone.
#pragma once

#include <set>

#include "assay/report.hpp"

namespace assay {

/// Borrows the columns of the report, which must outlive it. Tables none of whose ids is declared are null, columns
/// with an id of their own are not present unless it is declared. Window, strings, devices, processes, threads (but for
/// their names) and issues are for all. Not movable: it points into itself.
class MaskedReport {
 public:
  MaskedReport(const Report& report, const std::set<ColumnId>& declared);
  explicit MaskedReport(const Report& report, const Descriptor& declared);
  MaskedReport(const MaskedReport&) = delete;
  MaskedReport& operator=(const MaskedReport&) = delete;

  [[nodiscard]] const Report& report() const { return report_; }

 private:
  Report report_;
  KernelTable kernels_;
  GraphTable graphs_;
  CopyTable copies_;
  SetTable sets_;
  CallTable calls_;
  RangeTable ranges_, spans_;
  SyncTable syncs_;
  OverheadTable overheads_;
  OpTable ops_;
  ThreadTable threads_;
};

}  // namespace assay
