#include "classes.hpp"

#include <algorithm>

namespace assay::breakdown {

ComputeCapability Classifier::capability(std::int32_t device) const {
  const DeviceTable& devices = *report_->devices;
  for (std::size_t d = 0; d < devices.rows; ++d) {
    const bool known = devices.id[d] == device && devices.compute_major.present() && devices.compute_minor.present() &&
                       devices.compute_major[d] != kNone;
    if (known) return {devices.compute_major[d], std::max(devices.compute_minor[d], 0)};
  }
  return {};
}

const Kind& Classifier::kind_of(StringId name, std::int32_t device) {
  const auto [at, is_new] = known_.try_emplace({name, device});
  if (!is_new) return at->second;
  const std::string_view text = report_->string(name);
  const ComputeCapability capable = capability(device);
  const auto index_in = [](const auto& names, std::string_view wanted) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted) - names.begin());
  };
  at->second.kernel_class = index_in(classes_->classes(), classes_->class_of(text, capable));
  at->second.tensor_cores = index_in(kTensorCoreUses, tensor_cores_->class_of(text, capable));
  return at->second;
}

Breakdown break_down(std::span<const MeasuredKernel> kernels, std::size_t iterations, Classifier& classes) {
  Breakdown out;
  out.classes.resize(classes.class_count());
  for (Share& share : out.classes) {
    share.times.assign(iterations, 0);
    share.counts.assign(iterations, 0);
  }
  for (const MeasuredKernel& k : kernels) {
    const Kind& kind = classes.kind_of(k.name, k.device);
    Share& of_class = out.classes[kind.kernel_class];
    for (Share* share : {&of_class, &out.tensor_cores[kind.tensor_cores]}) {
      ++share->count;
      share->time += k.duration;
    }
    if (iterations > 0 && k.iteration != kNone) {
      of_class.times[static_cast<std::size_t>(k.iteration)] += static_cast<double>(k.duration);
      of_class.counts[static_cast<std::size_t>(k.iteration)] += 1;
    }
    ++out.count;
    out.time += k.duration;
  }
  return out;
}

}  // namespace assay::breakdown
