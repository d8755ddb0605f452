// The picture of a step: lanes of what the host and the device do, on one scale of time.
#pragma once

#include <string>
#include <vector>

#include "conclude/owned_plot.hpp"
#include "render/render.hpp"

namespace assay {

/// A side of a strip. Each row of its table is a piece (lane, role, start, duration, time, kind, label, detail); the
/// first row, whose role is "step", is the whole step. step_items emits it.
struct StripSide {
  std::string name;  ///< empty: there is one
  const OwnedTable* table = nullptr;
};

/// A figure of all sides below each other on one scale. `compact`: shapes without a text of their own. Empty if no side
/// has pieces.
std::string strip_figure(const std::vector<StripSide>& sides, bool compact);

}  // namespace assay
