// The page of one report, from the facts that analyzers gave.
#pragma once

#include "look/page.hpp"
#include "render/render.hpp"

namespace assay::look {

/// Of entry `entry` of the only question. A report that could not be read has a page that says why.
Page report_page(const RunResult& run, std::size_t entry);

}  // namespace assay::look
