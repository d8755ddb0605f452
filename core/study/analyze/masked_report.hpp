// A report as one analyzer may see it: only the tables and columns that it declared, whatever others requested.
//
// Otherwise an undeclared column would be there by chance, whenever another analyzer declares it.
#pragma once

#include <set>

#include "assay/report.hpp"

namespace assay {

/// Borrows the columns of the report, which must outlive it. Tables without a declared id are null, columns with an id
/// of their own are absent unless declared. Window, strings, devices, processes, threads (except their names) and
/// issues are visible to all. Not movable: it points into itself.
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
  CauseTable causes_;
  OpTable ops_;
  ThreadTable threads_;
};

}  // namespace assay
