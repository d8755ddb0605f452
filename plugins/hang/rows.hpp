// Dumps on their way from `analyze` to `conclude`.
#pragma once

#include <optional>

#include "assay/sdk.hpp"
#include "dump.hpp"
#include "last_work.hpp"

namespace assay::hang {

/// The dump of a report; empty if it has none.
std::optional<Dump> dump_of(const Report& report);

void emit_rows(const Dump& dump, ReportSink& sink);
std::optional<Dump> dump_from_rows(const StudyView& view, std::size_t report);

void emit_rows(const LastWork& work, ReportSink& sink);
std::optional<LastWork> last_work_from_rows(const StudyView& view, std::size_t report);

}  // namespace assay::hang
