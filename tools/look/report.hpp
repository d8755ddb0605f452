// Pages of `look` for one report and for several: sections of analyzers, and what the host knows about files.
#pragma once

#include "look/page.hpp"
#include "look/sections.hpp"
#include "render/render.hpp"

namespace assay::look {

/// Page of entry `entry` of the only question. For an unreadable report it gives the reason.
Page report_page(const RunResult& run, std::size_t entry, ReportRows& rows);

/// Page of several reports: one row each, in `order` or with outliers first. `title`: where they were found.
Page folder_page(const RunResult& run, const std::string& title, RowOrder& order);

}  // namespace assay::look
