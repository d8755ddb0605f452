// The account of a report's steps as the table Report::account.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay::account {

/// The cells of Report::account.
struct AccountRows {
  std::vector<Row> step;
  std::vector<std::uint32_t> process;
  std::vector<std::int32_t> device;
  std::vector<AccountKind> kind;
  std::vector<IdleCause> cause;
  std::vector<StringId> name;
  std::vector<CopyDirection> direction;
  std::vector<Row> range;
  std::vector<std::int64_t> time, count;

  /// Borrows the cells.
  [[nodiscard]] AccountTable table() const;
};

/// Of all whole steps, also disturbed ones, by step, device and time. Needs Report::steps.
AccountRows account_rows(const Report& report);

}  // namespace assay::account
