// What runners wrote about runs that have a report, as a sheet.
#pragma once

#include <optional>

#include "sheets/sheets.hpp"

namespace assay {

/// One row a report and runner's file: report, run, source, process_s, pass_s, throughput, batches (empty where the
/// file has none) and failure. Nothing when no run has a report.
std::optional<OwnedSheet> runner_sheet(const Catalog& catalog, const QuestionCatalog& found);

}  // namespace assay
