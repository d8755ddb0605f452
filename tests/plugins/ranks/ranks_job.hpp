// Jobs made up in ten lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/testing/report_builder.hpp"
#include "plugins/analyzers.hpp"

namespace assay::ranks {

using namespace assay::testing;

/// What the files of the two profilers say of collectives.
enum class Source {
  kTorch,         ///< groups with their ranks, sizes, "ProfilerStep#{i}"
  kNsys,          ///< nothing but the kernels' names (an export without blobs), "step_{i}"
  kNsysWithBlobs  ///< the communicator's id, sizes
};

/// One rank of a synthetic job; times in ns. A step has compute in two kernels, then all-reduces that end together on
/// all ranks.
struct Shape {
  std::int64_t steps = 6;
  std::int64_t period = 1000000;  ///< between the ranges of steps
  std::int64_t compute = 400000;  ///< before the collective
  std::int64_t stall = 0;         ///< of the host before the step's first work
  std::int64_t collective_end = 700000;
  std::int64_t first_step = 0;
  std::int64_t clock = 1000000000;  ///< origin of the file
  std::int64_t shift = 0;           ///< of its clock: the file's times are that much too late
  std::string master = {};
  std::vector<std::int64_t> sizes = {4096};
  bool sequence = false;
  CollectiveKind kind = CollectiveKind::kAllReduce;
  Source source = Source::kTorch;
  std::int64_t stall_between = 0;       ///< of the host between the launches of the two kernels of each step
  std::int64_t copy = 0;                ///< of data to the device before the first kernel
  std::vector<std::int64_t> more = {};  ///< compute that each step has beside `compute`; beyond these none
  double ppm = 0;                       ///< how much too fast the file's clock runs
  std::string group = "0", group_ranks = "0,1";
  std::int32_t group_size = 2;
  bool graphs = false;  ///< everything but the collectives' waiting ran in graphs traced as a whole
};

/// The report of one rank.
inline void build_rank(const Shape& s, ReportBuilder& b) {
  b.captured(col::collectives).property("origin_ns", std::to_string(s.clock));
  if (!s.master.empty()) b.property("environment.MASTER_ADDR", s.master).property("environment.MASTER_PORT", "29500");
  const bool torch = s.source == Source::kTorch;
  // A time as the file's clock has it.
  const auto own = [&](std::int64_t time) {
    return time + s.shift + static_cast<std::int64_t>(static_cast<double>(time) * s.ppm / 1e6);
  };
  std::int64_t number = 0;
  for (std::int64_t i = 0; i < s.steps; ++i) {
    const std::int64_t at = i * s.period, begin = at + 1000 + s.stall;
    b.range((torch ? "ProfilerStep#" : "step_") + std::to_string(i + s.first_step), own(at), own(at + s.period - 1000));
    const Row call = b.call(CallKind::kKernelLaunch, own(at + 100), own(at + 200));
    const auto step = static_cast<std::size_t>(i);
    const std::int64_t compute = s.compute + (step < s.more.size() ? s.more[step] : 0);
    if (s.copy > 0) b.copy(CopyDirection::kHostToDevice, 1000, own(begin), own(begin + s.copy), {.call = call});
    const std::int64_t half = begin + s.copy + compute / 2;
    b.kernel("gemm", own(begin + s.copy), own(half), {.call = call});
    const Row late = b.call(CallKind::kKernelLaunch, own(half + s.stall_between - 50), own(half + s.stall_between));
    std::int64_t start = begin + s.copy + compute + s.stall_between;
    b.kernel("gemm", own(half + s.stall_between), own(start), {.call = late});
    if (s.graphs) b.graph(1, own(at), own(at + s.period));
    const auto parts = static_cast<std::int64_t>(s.sizes.size());
    for (std::int64_t c = 0; c < parts; ++c) {
      const std::int64_t end = at + s.collective_end + (c + 1 - parts) * 1000;
      const Row nccl =
          b.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", own(start), own(end), {.stream = 17, .call = late});
      const std::int64_t bytes = s.source == Source::kNsys ? kNone : s.sizes[static_cast<std::size_t>(c)];
      CollectiveOptions said{.sent = bytes, .received = bytes};
      if (s.source != Source::kNsys) said.group = s.group;
      if (torch) {
        said.group_ranks = s.group_ranks;
        said.group_size = s.group_size;
      }
      if (s.sequence) said.sequence = number++;
      b.collective(nccl, s.kind, said);
      start = end;
    }
  }
}

/// The rows that one rank hands to the others.
inline std::vector<RecordedTable> rank_of(const Shape& s) {
  ReportBuilder b;
  build_rank(s, b);
  return under_test::ranks::analyzed(b.build()).rank_tables;
}

inline JobRecorder job_of(const std::vector<Shape>& shapes, std::int64_t world = 0, const OptionInputs& options = {}) {
  JobBuilder job;
  for (std::size_t r = 0; r < shapes.size(); ++r)
    job.rank(static_cast<std::int64_t>(r), world > 0 ? world : static_cast<std::int64_t>(shapes.size()),
             rank_of(shapes[r]));
  return under_test::ranks::gathered(job.build(), options);
}

}  // namespace assay::ranks
