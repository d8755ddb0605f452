// Options of `assay plan`.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "render/rows.hpp"
#include "result.hpp"

namespace assay {

struct PlanOptions {
  std::vector<std::filesystem::path> configs, reports;
  PipelineSettings settings;
  RowFormat format = RowFormat::kTable;
  std::function<Exit(const PlanOptions&)> instead = {};  ///< what a tool shows instead of the plan; empty: the plan
};

}  // namespace assay
