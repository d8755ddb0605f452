// What runners wrote about the runs of a question, as a sheet.
#pragma once

#include <optional>

#include "sheets/sheets.hpp"

namespace assay {

/// One row per profile and runner's file: report, run, source, process_s, pass_s, throughput, batches (empty where the
/// file has none) and failure. A run of the question that left no report has one too, with an empty report. Nothing
/// when there is no row.
std::optional<OwnedSheet> runner_sheet(const Catalog& catalog, const QuestionCatalog& found);

}  // namespace assay
