// The reports that statements run over, with the columns used so far.
#pragma once

#include <set>
#include <vector>

#include "query/session.hpp"
#include "recognise/profiles.hpp"
#include "result.hpp"
#include "window_spec.hpp"

namespace assay::query {

/// A report as found.
struct FoundReport {
  ProfileFiles files;
  std::vector<ReportLabel> labels;
};

class LoadedReports {
 public:
  /// `most`: bytes that the columns of all reports may take; 0: unlimited.
  LoadedReports(std::vector<FoundReport> found, WindowSpec window, IterationSpec iterations, std::uint64_t most)
      : found_(std::move(found)), window_(std::move(window)), iterations_(std::move(iterations)), most_(most) {}

  /// Loads missing columns. An unreadable report is reported on standard error and excluded from then on. Errors: none
  /// can be read, or they take too much memory.
  Status ensure(const std::set<ColumnId>& columns);

  /// Those that were read, in the given order.
  [[nodiscard]] std::vector<const Report*> reports() const;
  [[nodiscard]] std::vector<ReportLabel> labels() const;

 private:
  struct LoadedReport {
    std::size_t found;
    Profile profile;
    Profile::View view;
  };
  std::vector<FoundReport> found_;
  WindowSpec window_;
  IterationSpec iterations_;
  std::uint64_t most_;
  std::set<ColumnId> columns_;
  std::vector<std::unique_ptr<LoadedReport>> loaded_;
  bool read_ = false;
};

}  // namespace assay::query
