// Launches of kernels that Inductor generated, with the file of their code, as the table "generated_launches".
#pragma once

#include "assay/format.hpp"
#include "load/store.hpp"

namespace assay::load {

inline constexpr ColumnSpec kGeneratedLaunchColumns[] = {
    {.name = "external_id", .role = CellRole::kKey, .doc = "Of the operator that launches it."},
    {.name = "kernel", .kind = CellKind::kText, .doc = "Name of the kernel."},
    {.name = "kernel_hash", .kind = CellKind::kText, .doc = "Of its code; logs of torch.compile have it too."},
    {.name = "kernel_file", .kind = CellKind::kText, .doc = "File of its code, where the program ran."}};
inline constexpr TableSpec kGeneratedLaunchTable{"generated_launches", "launches of generated kernels",
                                                 "Launches of kernels that torch.compile generated.",
                                                 kGeneratedLaunchColumns};

struct GeneratedLaunch {
  std::int64_t external_id = kNone;
  StringId kernel = 0, hash = 0, file = 0;
};

/// Adds the table to the store, in file order; no table if there are none.
void add_generated_launches(const std::vector<GeneratedLaunch>& launches, Profile::Store& store);

}  // namespace assay::load
