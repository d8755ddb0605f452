// The pages of `look`, of one report and of several: what an analyzer lays out, and what the host knows of files.
#pragma once

#include "look/page.hpp"
#include "look/sections.hpp"
#include "render/render.hpp"

namespace assay::look {

/// Of entry `entry` of the only question. A report that could not be read has a page that says why.
Page report_page(const RunResult& run, std::size_t entry);

/// Of several reports: one row each, those to look at first on top or in `order`. `title`: where they were found.
Page folder_page(const RunResult& run, const std::string& title, RowOrder& order);

}  // namespace assay::look
