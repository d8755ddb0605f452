#include "record/power_sampler.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

#include "files/staged_file.hpp"
#include "record/conditions.hpp"
#include "record/nvml.hpp"
#include "render/text.hpp"

namespace assay::record {
namespace {

/// Budget for sampling in core seconds per second of the run. Reading the energy counter takes 4 ms (H100, driver 580),
/// everything else together 0.03 ms: the counter is read at begin and end, and in between as the budget permits.
constexpr double kMaxCost = 0.0045;
constexpr std::chrono::milliseconds kEvery{50};
/// Seconds between two readings of the counter: with constant power a straight line connects two readings. The counter
/// advances every 100 ms. Not an integer, because the analyzer also derives the energy whole seconds away from a
/// reading.
constexpr double kCounterSteady = 1.7, kCounterChanging = 0.1;
/// Relative difference to an earlier reading (this many samples ago) that counts as a change; the power is an average
/// over a second.
constexpr double kChange = 0.03;
constexpr std::size_t kChangeSamples = 5;

struct PowerSample {
  std::int64_t time_ns = 0;  ///< since the epoch
  std::optional<std::uint64_t> energy_mj, reasons;
  std::optional<unsigned> power_mw, sm_mhz, memory_mhz, celsius;
};

PowerSample sample_of(const Nvml& nvml, Nvml::Device device, bool with_counter) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
          with_counter ? nvml.energy_mj(device) : std::nullopt,
          nvml.reasons(device),
          nvml.power_mw(device),
          nvml.mhz(device, Nvml::kSm),
          nvml.mhz(device, Nvml::kMemory),
          nvml.celsius(device)};
}

template <class Value>
std::optional<double> mean_of(const std::vector<PowerSample>& samples, const Value& value) {
  double sum = 0;
  std::size_t count = 0;
  for (const PowerSample& sample : samples) {
    if (const auto one = value(sample)) {
      sum += static_cast<double>(*one);
      ++count;
    }
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

PowerUse use_of(const std::vector<PowerSample>& samples) {
  PowerUse use;
  use.samples = samples.size();
  if (samples.empty()) return use;
  const auto &from = samples.front().energy_mj, &to = samples.back().energy_mj;
  if (from && to && *to > *from) use.joules = static_cast<double>(*to - *from) / 1e3;
  use.mean_watts = mean_of(samples, [](const PowerSample& sample) { return sample.power_mw; });
  if (use.mean_watts) *use.mean_watts /= 1e3;
  const double seconds = static_cast<double>(samples.back().time_ns - samples.front().time_ns) / 1e9;
  if (use.joules && seconds > 0) use.mean_watts = *use.joules / seconds;  // the reading itself lags
  use.sm_mhz = mean_of(samples, [](const PowerSample& sample) { return sample.sm_mhz; });
  use.throttled_ratio = mean_of(samples, [](const PowerSample& sample) -> std::optional<int> {
    if (!sample.reasons) return std::nullopt;
    return is_throttling(*sample.reasons) ? 1 : 0;
  });
  return use;
}

/// A thread that samples until `end` is called.
class NvmlSampler : public PowerSampler {
 public:
  NvmlSampler(const Nvml& nvml, Nvml::Device device) : nvml_(nvml), device_(device) {
    thread_ = std::thread([this] { sample(); });
  }
  ~NvmlSampler() override { NvmlSampler::end(); }

  void end() override {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  Result<PowerUse> stop(const std::filesystem::path& course, const std::string& run) override {
    end();
    std::error_code failed;
    const bool fresh = !std::filesystem::exists(course, failed);
    std::ofstream out(course, std::ios::app);
    if (fresh) out << "run,time_ns,energy_mj,power_mw,sm_mhz,memory_mhz,celsius,throttled\n";
    const auto add_cell = [&](const auto& value) {
      out << ",";
      if (value) out << *value;
    };
    for (const PowerSample& sample : samples_) {
      out << csv_cell(run) << "," << sample.time_ns;
      add_cell(sample.energy_mj);
      add_cell(sample.power_mw);
      add_cell(sample.sm_mhz);
      add_cell(sample.memory_mhz);
      add_cell(sample.celsius);
      add_cell(sample.reasons ? std::optional<int>(is_throttling(*sample.reasons) ? 1 : 0) : std::nullopt);
      out << "\n";
    }
    out.flush();
    if (!out) return files::not_written(course, "the samples of its GPU could not be appended");
    PowerUse use = use_of(samples_);
    use.cpu_seconds = cost_s_;
    return use;
  }

 private:
  void sample() {
    const auto begin = std::chrono::steady_clock::now();
    const double before = thread_seconds();
    auto next = begin;
    double counter_at = 0, counter_cost = 0;
    while (true) {
      const bool last = ended_;  // at the end, reads the counter as at the begin
      const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      const double started = thread_seconds();
      const double since = elapsed - counter_at, cost = started - before + 2 * counter_cost;  // including the reading
                                                                                              // at the end
      const bool due = since >= (changes() ? kCounterChanging : kCounterSteady) && cost <= kMaxCost * elapsed;
      const bool with_counter = last || samples_.empty() || due;
      samples_.push_back(sample_of(nvml_, device_, with_counter));
      const double spent = thread_seconds() - started;
      if (with_counter) {
        counter_at = elapsed;
        counter_cost = spent;
      }
      cost_s_ = thread_seconds() - before;
      if (last) return;
      next += std::max<std::chrono::steady_clock::duration>(kEvery, of_cost(with_counter ? 0 : spent));
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, next, [&] { return ended_.load(); });
    }
  }
  /// Interval at which readings of this duration use a third of the budget.
  static std::chrono::steady_clock::duration of_cost(double seconds) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(3 * seconds / kMaxCost));
  }
  /// CPU time of the calling thread.
  static double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  }
  [[nodiscard]] bool changes() const {
    if (samples_.size() <= kChangeSamples) return false;
    const auto &now = samples_.back().power_mw, &then = samples_[samples_.size() - 1 - kChangeSamples].power_mw;
    return now && then && std::abs(static_cast<double>(*now) - *then) > kChange * *then;
  }

  const Nvml& nvml_;
  Nvml::Device device_;
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  double cost_s_ = 0;  ///< of the thread, once it has ended
  std::vector<PowerSample> samples_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<PowerSampler> PowerSampler::start(const std::string& gpu) {
  const Nvml* const nvml = Nvml::loaded();
  const auto device = nvml == nullptr ? std::nullopt : nvml->device(gpu);
  return device ? std::make_unique<NvmlSampler>(*nvml, *device) : nullptr;
}

}  // namespace assay::record
