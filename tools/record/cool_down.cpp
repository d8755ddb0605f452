#include "record/cool_down.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>

namespace assay::record {

bool CoolDown::wait(const CooldownSpec& cooldown, const std::string& gpu) {
  const double most = cooldown.within_celsius ? cooldown.most_seconds : cooldown.seconds;
  const auto from = std::chrono::steady_clock::now();
  const auto waited = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count(); };
  while (waited() < most) {
    if (stop_) return false;
    if (cooldown.within_celsius && is_cool(*cooldown.within_celsius, gpu)) return true;
    poll(nullptr, 0, cooldown.within_celsius ? 1000 : 20);
  }
  return true;
}

bool CoolDown::is_cool(double within, const std::string& gpu) {
  const Conditions seen = conditions_now();
  double hottest = -1;
  for (const GpuState& state : seen.gpus) {
    // Ignores GPUs that work for other blocks.
    if (gpu.empty() || state.index == gpu || state.uuid == gpu) hottest = std::max(hottest, state.celsius.value_or(-1));
  }
  if (hottest < 0) return true;
  const std::scoped_lock lock(mutex_);
  return hottest <= coolest_.emplace(gpu, hottest).first->second + within;
}

}  // namespace assay::record
