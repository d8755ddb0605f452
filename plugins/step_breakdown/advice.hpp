// Recommendations from the facts of the runs. Uses facts only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/study.hpp"
#include "split.hpp"

namespace assay::step {

struct Thresholds {
  double data_loader = 0, communication = 0, utilization = 0, memory = 0;  ///< 0..1
  double tensor_cores = 0;                                                 ///< share of kernel time, 0..1
  double capability = 7;  ///< minimum compute capability with tensor cores
};

/// Known values of one report; shares 0..1.
struct Run {
  std::size_t report = 0;
  std::string name;  ///< for sentences
  double steps = 0, dropped = 0, step_ns = 0, least_ns = 0, greatest_ns = 0;
  std::vector<std::int64_t> facts;  ///< rows of the facts below
  std::array<double, kCategories> shares{};
  std::optional<double> utilization, sm_efficiency, occupancy;
  std::optional<double> corrected_occupancy;         ///< if the profiler's value is impossible
  std::optional<double> tensor_yes, tensor_unknown;  ///< of kernel time
  std::optional<double> eligible_no;                 ///< of kernel time: launched by eligible operators but without
                                                     ///< tensor cores
  std::optional<double> capability;
  std::optional<double> memory;  ///< largest peak ratio over its devices
  bool one_of_many = false;      ///< a rank of a job with several: its communication may be waiting for others
};

/// Reports of the question with steps, by report.
std::vector<Run> runs_of(const StudyView& view);

enum class Rule : std::uint8_t { kDataLoader, kCommunication, kUtilization, kTensorCores, kMemory };
inline constexpr std::size_t kRules = 5;

/// A rule applied to one run. `judged`: the report has the values the rule needs.
struct Judgement {
  bool judged = false, holds = false;
  double measured = 0;  ///< 0..1
};
Judgement judge(Rule rule, const Run& run, const Thresholds& thresholds);

double threshold_of(Rule rule, const Thresholds& thresholds);

}  // namespace assay::step
