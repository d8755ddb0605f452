#include "samples.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "assay/words.hpp"
#include "possible_samples.hpp"

namespace assay::energy {
namespace {

constexpr std::string_view kGpu = "gpu ";

/// The number at the start of a text: "74.31 W", "-3".
std::optional<double> leading_number(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() ? std::optional(value) : std::nullopt;
}

/// A column with alternative names, with '_' for '.' and without unit ("power.draw [W]" is power_draw), and the factor
/// to our unit.
struct Name {
  std::string_view text;
  double factor = 1;
};

class Column {
 public:
  template <std::size_t N>
  Column(const Sheet& sheet, const std::array<Name, N>& names) : sheet_(sheet) {
    for (const Name& name : names) {
      for (std::size_t c = 0; c < sheet.columns() && !at_; ++c) {
        std::string_view column = sheet.column_name(c);
        column = column.substr(0, column.find(" ["));
        column.remove_prefix(std::min(column.find_first_not_of(' '), column.size()));
        std::string text(column);
        std::ranges::replace(text, '.', '_');
        if (column == name.text || text == name.text) {
          at_ = c;
          found_ = name;
        }
      }
    }
  }
  explicit operator bool() const { return at_.has_value(); }
  [[nodiscard]] std::string_view name() const { return found_.text; }
  [[nodiscard]] std::string_view text(std::size_t row) const {
    return at_ ? sheet_.text(row, *at_) : std::string_view();
  }
  [[nodiscard]] std::optional<double> number(std::size_t row) const {
    const auto value = leading_number(text(row));
    return value ? std::optional(*value * found_.factor) : std::nullopt;
  }

 private:
  const Sheet& sheet_;
  std::optional<std::size_t> at_;
  Name found_;
};

/// 0 or 1, from a number, NVML's reasons ("0x0000000000000004"), or amd-smi's "THROTTLED".
std::optional<double> throttled_of(std::string_view text) {
  // Power cap, hardware slowdown, thermal slowdown (software, hardware) and power brake.
  constexpr std::uint64_t kThrottling = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;
  if (text == "THROTTLED" || text == "UNTHROTTLED") return text == "THROTTLED" ? 1 : 0;
  if (!text.starts_with("0x")) return leading_number(text);
  std::uint64_t reasons = 0;
  const auto [end, problem] = std::from_chars(text.data() + 2, text.data() + text.size(), reasons, 16);
  if (problem != std::errc()) return std::nullopt;
  return (reasons & kThrottling) != 0 ? 1 : 0;
}

/// Integers of a date: year, month, day, hour, minute.
bool parse_number(std::string_view& text, int& value, char after) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (after == '\0') return true;
  if (text.empty() || (text.front() != after && !(after == ' ' && text.front() == 'T'))) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<double> date_seconds(std::string_view text, bool& is_local) {
  const char between = text.find('/') != std::string_view::npos ? '/' : '-';
  int year = 0, month = 0, day = 0, hour = 0, minute = 0;
  if (!parse_number(text, year, between) || !parse_number(text, month, between) || !parse_number(text, day, ' ') ||
      !parse_number(text, hour, ':') || !parse_number(text, minute, ':'))
    return std::nullopt;
  const auto seconds = leading_number(text);
  const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!seconds || !date.ok()) return std::nullopt;
  is_local = is_local || !text.ends_with('Z');
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days) * 86400 + hour * 3600 + minute * 60 + *seconds;
}

/// Integrates instantaneous readings into a counter.
void integrate(std::vector<PowerSample>& samples) {
  double joules = 0;
  const PowerSample* last = nullptr;
  for (PowerSample& sample : samples) {
    if (!sample.power_w) continue;
    if (last != nullptr) joules += (*last->power_w + *sample.power_w) / 2 * (sample.time_s - last->time_s);
    sample.energy_j = joules;
    last = &sample;
  }
  for (PowerSample& sample : samples) sample.power_w.reset();
}

std::size_t covered(const std::vector<PowerSample>& samples, const std::vector<Window>& windows, double shift) {
  return static_cast<std::size_t>(std::ranges::count_if(windows, [&](const Window& window) {
    return samples.front().time_s - shift <= window.begin && samples.back().time_s - shift >= window.end;
  }));
}

/// Offset of the samples' clock from UTC, a multiple of a quarter of an hour; 0 if that covers as many windows.
double zone_of(const std::vector<PowerSample>& samples, const std::vector<Window>& windows) {
  constexpr int kQuarters = 14 * 4;
  double best = 0;
  std::size_t most = covered(samples, windows, 0);
  for (int quarter = -kQuarters; quarter <= kQuarters; ++quarter) {
    const double shift = quarter * 900.0;
    const std::size_t here = covered(samples, windows, shift);
    if (here > most) {
      most = here;
      best = shift;
    }
  }
  return best;
}

}  // namespace

std::optional<double> seconds_of(std::string_view text, bool& is_local, double per_second) {
  if (text.find_first_of("/-:") != std::string_view::npos) return date_seconds(text, is_local);
  std::int64_t whole = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (problem != std::errc()) return std::nullopt;
  constexpr double kSecondsBelow = 1e11;  // a number below is in s (until the year 5138), then in ms, and so on
  double value = end == text.data() + text.size() ? static_cast<double>(whole) : leading_number(text).value_or(0);
  if (per_second > 0) return value / per_second;
  while (std::abs(value) >= kSecondsBelow) value /= 1e3;
  return value;
}

void Courses::add(const Sheet& sheet) {
  const Column when(sheet, std::array<Name, 3>{{{"time"}, {"time_ns"}, {"timestamp"}}});
  const Column energy(sheet, std::array<Name, 2>{{{"energy_mj", 1e-3}, {"total_energy_consumption"}}});
  const Column power(sheet, std::array<Name, 6>{{{"power_mw", 1e-3},
                                                 {"power_draw_instant"},
                                                 {"power_draw"},
                                                 {"power_draw_average"},
                                                 {"socket_power"},
                                                 {"power_usage"}}});
  const Column clock(
      sheet, std::array<Name, 5>{{{"sm_mhz"}, {"clocks_current_sm"}, {"clocks_sm"}, {"gfx_0_clk"}, {"gfx_clk"}}});
  const Column memory(sheet,
                      std::array<Name, 4>{{{"memory_mhz"}, {"clocks_current_memory"}, {"clocks_mem"}, {"mem_0_clk"}}});
  const Column throttled(
      sheet,
      std::array<Name, 4>{
          {{"throttled"}, {"clocks_event_reasons_active"}, {"clocks_throttle_reasons_active"}, {"throttle_status"}}});
  const Column run(sheet, std::array<Name, 1>{{{"run"}}});
  const Column gpu(sheet, std::array<Name, 4>{{{"index"}, {"uuid"}, {"gpu_uuid"}, {"gpu"}}});
  if (!when || (!energy && !power)) return;
  const bool is_momentary =
      power.name() == "power_draw_instant" || power.name() == "socket_power" || power.name() == "power_usage";
  for (std::size_t row = 0; row < sheet.rows(); ++row) {
    bool is_local = false;
    const auto seconds = seconds_of(when.text(row), is_local, when.name().ends_with("_ns") ? 1e9 : 0);
    if (!seconds) {
      ++without_time_;
      continue;
    }
    Course& course = courses_[run ? std::string(run.text(row)) : std::string(kGpu) + std::string(gpu.text(row))];
    course.is_local = course.is_local || is_local;
    course.is_momentary = course.is_momentary || (is_momentary && !energy);
    PowerSample sample;
    sample.time_s = *seconds;
    sample.energy_j = energy.number(row);
    sample.power_w = power.number(row);
    sample.sm_mhz = clock.number(row);
    sample.memory_mhz = memory.number(row);
    sample.throttled = throttled_of(throttled.text(row));
    course.samples.push_back(sample);
  }
}

void Courses::assign_windows(const std::vector<Window>& windows) {
  ImpossibleReadings impossible;
  for (auto& [run, course] : courses_) {
    leave_out_impossible(course.samples, impossible);
    std::ranges::stable_sort(course.samples, {}, &PowerSample::time_s);
    const double shift = course.is_local ? zone_of(course.samples, windows) : 0;
    for (PowerSample& sample : course.samples) sample.time_s -= shift;
    if (course.is_momentary) integrate(course.samples);
  }
  doubts_ = impossible.clauses();
  if (without_time_ > 0) doubts_.push_back(counted(without_time_, "sample") + " have no time that can be read");
}

const std::vector<PowerSample>* Courses::samples_of(std::string_view path) const {
  const Course* only = nullptr;
  for (const auto& [run, course] : courses_) {
    if (run.starts_with(kGpu)) {
      only = &course;
    } else if (!run.empty() && path.find(run + ".") != std::string_view::npos) {
      return &course.samples;
    }
  }
  return only == nullptr || rival_gpus() > 0 ? nullptr : &only->samples;
}

std::size_t Courses::rival_gpus() const {
  const auto gpus = std::ranges::count_if(courses_, [](const auto& one) { return one.first.starts_with(kGpu); });
  return gpus > 1 ? static_cast<std::size_t>(gpus) : 0;
}

}  // namespace assay::energy
