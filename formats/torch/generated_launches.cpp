#include "formats/torch/generated_launches.hpp"

#include <algorithm>

namespace assay::load {

void GeneratedLaunches::add(const Event& event, TableSink& out) {
  const Args& args = event.args;
  if (args.external_id == Args::kAbsent) return;
  external_ids_.push_back(args.external_id);
  kernels_.push_back(out.intern(unescaped(event.name)));
  hashes_.push_back(out.intern(unescaped(args.kernel_hash)));
  files_.push_back(out.intern(unescaped(args.kernel_file)));
}

void GeneratedLaunches::finish(TableSink& out) const {
  if (external_ids_.empty()) return;
  DeclaredRows rows(out, kGeneratedLaunchTable.name.view(), external_ids_.size());
  std::ranges::copy(external_ids_, rows.integers("external_id").begin());
  std::ranges::copy(kernels_, rows.texts("kernel").begin());
  std::ranges::copy(hashes_, rows.texts("kernel_hash").begin());
  std::ranges::copy(files_, rows.texts("kernel_file").begin());
}

}  // namespace assay::load
