#include "causes.hpp"

#include <algorithm>

#include "assay/words.hpp"
#include "forwards.hpp"

namespace assay::tokens {
namespace {

Status status_of(bool holds) { return holds ? Status::kConfirmed : Status::kNotConfirmed; }

std::string missing(const char* what) { return std::string("the profiles do not both have ") + what; }

Cause launches(const Pair& pair, const Criteria& c) {
  Cause cause{"launches", "more launches", Status::kNotTestable, {}, {}, c.launches_remedy};
  cause.criterion = printed(
      "at least %g times the kernels per forward, and at least %g %% of the reduced run's kernels "
      "waited for the host",
      c.more_kernels, 100 * c.launch_bound);
  if (!pair.base.kernels || !pair.treated.kernels || !pair.treated.launch_bound || *pair.base.kernels <= 0) {
    cause.evidence = missing("kernels per forward and launch.bound_ratio");
    return cause;
  }
  const double ratio = *pair.treated.kernels / *pair.base.kernels;
  cause.status = status_of(ratio >= c.more_kernels && *pair.treated.launch_bound >= c.launch_bound);
  cause.evidence =
      printed("%g kernels per forward become %g (x %.2f); %s of the reduced run's kernels waited for the host",
              *pair.base.kernels, *pair.treated.kernels, ratio, percent(*pair.treated.launch_bound).c_str());
  if (pair.base.launch_bound) cause.evidence += ", " + percent(*pair.base.launch_bound) + " without the reduction";
  return cause;
}

Cause utilization(const Pair& pair, const Criteria& c) {
  Cause cause{"utilization", "low utilization", Status::kNotTestable, {}, {}, c.utilization_remedy};
  cause.criterion = printed(
      "the GPU is busy for at most %g %% of the reduced run's iteration period, and less than "
      "without the reduction",
      100 * c.low_utilization);
  const auto before = pair.base.utilization(), after = pair.treated.utilization();
  if (!before || !after) {
    cause.evidence = missing("GPU busy time and period of an iteration");
    return cause;
  }
  cause.status = status_of(*after <= c.low_utilization && *after < *before);
  cause.evidence = "the GPU is busy for " + percent(*after) + " of an iteration's period (" +
                   time_text(*pair.treated.busy) + " of " + time_text(*pair.treated.period) + "), " + percent(*before) +
                   " without the reduction";
  return cause;
}

Cause dynamic_operations(const Pair& pair, const Criteria& c) {
  Cause cause{"dynamic_operations", "cost of dynamic operations", Status::kNotTestable, {}, {}, c.dynamic_remedy};
  cause.criterion =
      printed("top-k, sort, gather and index kernels add at least %g %% of the reduced run's GPU busy time",
              100 * c.dynamic_share);
  if (pair.base.by_name.empty() || pair.treated.by_name.empty() || !pair.treated.busy || *pair.treated.busy <= 0) {
    cause.evidence = missing("kernels by name");
    return cause;
  }
  const PerForward before = pair.base.of_class(kDynamic), after = pair.treated.of_class(kDynamic);
  const double added = after.time - before.time, share = added / *pair.treated.busy;
  cause.status = status_of(share >= c.dynamic_share);
  const auto launches_text = [](const PerForward& kernels) {
    return kernels.count > 0 ? printed("%s in %g launches", time_text(kernels.time).c_str(), kernels.count)
                             : std::string("nothing");
  };
  cause.evidence = "they take " + launches_text(after) + " per forward and " + launches_text(before) +
                   " without the reduction, which adds " + percent(share) + " of GPU busy time";
  if (pair.base.busy && *pair.base.busy > *pair.treated.busy) {
    cause.evidence += "; the reduction saves " + time_text(*pair.base.busy - *pair.treated.busy);
  }
  return cause;
}

std::string memory_text(const Side& side) {
  std::string text = time_text(side.of_class(kMemory).time) + " in memory-moving kernels";
  if (side.copy_time) text += ", " + time_text(*side.copy_time) + " in copies";
  if (side.copy_bytes) text += printed(" (%.4g MB)", *side.copy_bytes / 1e6);
  if (side.set_time) text += ", " + time_text(*side.set_time) + " in sets";
  if (side.set_bytes) text += printed(" (%.4g MB)", *side.set_bytes / 1e6);
  return text;
}

Cause memory(const Pair& pair, const Criteria& c) {
  Cause cause{"memory", "memory", Status::kNotTestable, {}, {}, c.memory_remedy};
  cause.criterion = printed(
      "memory-moving kernels, copies and sets take at least %g %% of the reduced run's GPU busy "
      "time, and more than without the reduction",
      100 * c.memory_share);
  const auto before = pair.base.memory_share(), after = pair.treated.memory_share();
  if (!before || !after) {
    cause.evidence = missing("kernels by name");
    return cause;
  }
  cause.status = status_of(*after >= c.memory_share && *after > *before);
  cause.evidence = percent(*after) + " of GPU busy time (" + memory_text(pair.treated) + "), " + percent(*before) +
                   " without the reduction (" + memory_text(pair.base) + ")";
  return cause;
}

}  // namespace

std::vector<Cause> causes_of(const Pair& pair, const Criteria& criteria) {
  std::vector<Cause> out = {launches(pair, criteria), utilization(pair, criteria), dynamic_operations(pair, criteria),
                            memory(pair, criteria)};
  if (!pair.opaque) return out;
  for (Cause& cause : out) {
    if (cause.status == Status::kNotTestable)
      cause.evidence = "most GPU time is in CUDA graphs traced as a whole, or it is unknown how much is";
  }
  return out;
}

}  // namespace assay::tokens
