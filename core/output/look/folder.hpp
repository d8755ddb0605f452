// The page of several reports: one row each, those to look at first on top.
#pragma once

#include "look/page.hpp"
#include "render/render.hpp"

namespace assay::look {

/// `title`: where the reports were found.
Page folder_page(const RunResult& run, const std::string& title);

}  // namespace assay::look
