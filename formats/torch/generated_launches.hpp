// Launches of kernels that Inductor generated, with the file of their code, as the table "generated_launches".
#pragma once

#include <vector>

#include "assay/format.hpp"
#include "formats/torch/event.hpp"

namespace assay::load {

inline constexpr ColumnSpec kGeneratedLaunchColumns[] = {
    {.name = "external_id", .role = CellRole::kKey, .doc = "Of the operator that launches it."},
    {.name = "kernel", .kind = CellKind::kText, .doc = "Name of the kernel."},
    {.name = "kernel_hash", .kind = CellKind::kText, .doc = "Of its code; logs of torch.compile have it too."},
    {.name = "kernel_file", .kind = CellKind::kText, .doc = "File of its code, where the program ran."}};
inline constexpr TableSpec kGeneratedLaunchTable{"generated_launches", "launches of generated kernels",
                                                 "Launches of kernels that torch.compile generated.",
                                                 kGeneratedLaunchColumns};

/// Cells of the table, in the order of the file.
class GeneratedLaunches {
 public:
  /// An operator that names a file of code.
  void add(const Event& event, TableSink& out);
  /// No table if there are none.
  void finish(TableSink& out) const;

 private:
  std::vector<std::int64_t> external_ids_;
  std::vector<StringId> kernels_, hashes_, files_;
};

}  // namespace assay::load
