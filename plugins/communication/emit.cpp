#include "emit.hpp"

#include <algorithm>
#include <tuple>

#include "assay/algo/summary.hpp"

namespace assay::communication {
namespace {

/// A part of a step and its name.
struct Part {
  std::string_view metric;
  std::int64_t StepParts::* value;
};
constexpr Part kParts[] = {
    {"compute.busy_ns", &StepParts::compute_busy}, {"compute.only_ns", &StepParts::compute_only},
    {"comm.busy_ns", &StepParts::comm_busy},       {"comm.overlap_ns", &StepParts::overlap},
    {"comm.exposed_ns", &StepParts::exposed},      {"comm.exposed_copy_ns", &StepParts::exposed_copy},
    {"copy.only_ns", &StepParts::copy_only},       {"comm.idle_ns", &StepParts::idle},
};

void emit_mean(std::string_view metric, const std::vector<double>& values, ReportSink& sink) {
  sink.fact(metric, mean(values), values);
}

template <class Of>
std::vector<double> samples_of(const std::vector<MeasuredStep>& steps, Of&& of) {
  std::vector<double> out;
  for (const MeasuredStep& s : steps) out.push_back(static_cast<double>(of(s)));
  return out;
}

void emit_step_table(const std::vector<MeasuredStep>& all, ReportSink& sink) {
  Table table("steps", "Steps on the device, in five parts");
  table.column("step", "", all, [](const MeasuredStep& s) { return s.step->number; });
  table.column("step.window_ns", "ns", all, [](const MeasuredStep& s) { return s.parts.window; });
  for (const Part& part : kParts)
    table.column(std::string(part.metric), "ns", all, [&](const MeasuredStep& s) { return s.parts.*part.value; });
  table.column("compute.kernel_count", "1", all, [](const MeasuredStep& s) { return s.step->compute_kernels; });
  table.column("compute.time_sum_ns", "ns", all, [](const MeasuredStep& s) { return s.step->compute_time_sum; });
  table.column("step.period_ns", "ns", all, [&](const MeasuredStep& s) -> std::optional<std::int64_t> {
    const MeasuredStep* next = &s + 1;
    if (next == all.data() + all.size()) return std::nullopt;
    return next->step->host.start - s.step->host.start;
  });
  table.column("step.host_ns", "ns", all, [](const MeasuredStep& s) { return s.step->host.end - s.step->host.start; });
  table.column("step.first_work_delay_ns", "ns", all,
               [](const MeasuredStep& s) { return s.step->window.start - s.step->host.start; });
  sink.table(table);
}

using Key = std::tuple<std::size_t, CollectiveKind, std::int64_t>;  ///< group, kind, bytes (-1: unknown)

std::vector<Dim> dims_of_key(const Collectives& all, const Key& key, std::string& bytes, bool with_bytes) {
  const auto& [group, kind, size] = key;
  std::vector<Dim> dims = {{"kind", collective_name(kind)}};
  bytes = std::to_string(size);
  if (with_bytes && size >= 0) dims.emplace_back("bytes", bytes);
  if (all.several_groups())
    dims.emplace_back("group", all.groups[group].empty() ? Str("unknown") : Str(all.groups[group]));
  return dims;
}

struct KindSums {
  std::vector<double> counts, bytes;  ///< by step
  bool sized = true;
};

struct SizeTimes {
  std::vector<double> times;
  std::int64_t group_size = kNone;
};

}  // namespace

std::vector<MeasuredStep> averaged(const std::vector<MeasuredStep>& steps) {
  return steps.size() > 1 ? std::vector<MeasuredStep>(steps.begin() + 1, steps.end()) : steps;
}

void emit_steps(const std::vector<MeasuredStep>& all, ReportSink& sink) {
  const std::vector<MeasuredStep> steps = averaged(all);
  sink.fact("comm.step_count", static_cast<double>(steps.size()));
  emit_mean("step.window_ns", samples_of(steps, [](const MeasuredStep& s) { return s.parts.window; }), sink);
  emit_mean("step.host_ns",
            samples_of(steps, [](const MeasuredStep& s) { return s.step->host.end - s.step->host.start; }), sink);
  emit_mean("step.first_work_delay_ns",
            samples_of(steps, [](const MeasuredStep& s) { return s.step->window.start - s.step->host.start; }), sink);
  emit_mean("compute.kernel_count", samples_of(steps, [](const MeasuredStep& s) { return s.step->compute_kernels; }),
            sink);
  emit_mean("compute.time_sum_ns", samples_of(steps, [](const MeasuredStep& s) { return s.step->compute_time_sum; }),
            sink);
  for (const Part& part : kParts)
    emit_mean(part.metric, samples_of(steps, [&](const MeasuredStep& s) { return s.parts.*part.value; }), sink);
  std::vector<double> periods;
  for (std::size_t s = 1; s < steps.size(); ++s)
    periods.push_back(static_cast<double>(steps[s].step->host.start - steps[s - 1].step->host.start));
  std::vector<double> sorted = periods;
  if (!periods.empty()) sink.fact("step.period_ns", median_in_place(sorted), periods);
  double overlap = 0, busy = 0, exposed = 0, window = 0;
  for (const MeasuredStep& s : steps) {
    overlap += static_cast<double>(s.parts.overlap);
    busy += static_cast<double>(s.parts.comm_busy);
    exposed += static_cast<double>(s.parts.exposed);
    window += static_cast<double>(s.parts.window);
  }
  if (busy > 0) {
    sink.fact("comm.overlap_ratio", overlap / busy);
    sink.ratio("comm.exposed_ratio", exposed, window, "the length of the steps");
  } else {
    sink.skip("comm.overlap_ratio, comm.exposed_ratio", "no kernel of the steps communicates",
              SkipCause::kNoIterations);
  }
  emit_step_table(all, sink);
}

void emit_capture(const StepParts& parts, ReportSink& sink) {
  sink.fact("capture.window_ns", static_cast<double>(parts.window));
  for (const Part& part : kParts) sink.fact(part.metric, static_cast<double>(parts.*part.value), {{"over", "capture"}});
  if (parts.comm_busy > 0)
    sink.fact("comm.overlap_ratio", static_cast<double>(parts.overlap) / static_cast<double>(parts.comm_busy),
              {{"over", "capture"}});
}

void emit_collectives(const Collectives& all, std::size_t first, ReportSink& sink) {
  std::map<Key, KindSums> kinds;
  std::map<Key, SizeTimes> sizes;
  const std::size_t steps = all.steps.size() - first;
  for (std::size_t s = first; s < all.steps.size(); ++s) {
    for (const OneCollective& c : all.steps[s]) {
      KindSums& kind = kinds[{c.group, c.kind, -1}];
      kind.counts.resize(steps, 0);
      kind.bytes.resize(steps, 0);
      ++kind.counts[s - first];
      kind.bytes[s - first] += static_cast<double>(c.bytes.value_or(0));
      kind.sized = kind.sized && c.bytes.has_value();
      SizeTimes& size = sizes[{c.group, c.kind, c.bytes.value_or(-1)}];
      size.times.push_back(static_cast<double>(c.time.end - c.time.start));
      size.group_size = std::max(size.group_size, c.group_size);
    }
  }
  std::string text;
  bool unsized = false;
  for (const auto& [key, kind] : kinds) {
    const std::vector<Dim> dims = dims_of_key(all, key, text, false);
    double count = mean(kind.counts);
    check_emit(sink.emit_fact("collective.count", dims, count, kind.counts), "fact", "collective.count");
    unsized = unsized || !kind.sized;
    if (kind.sized) check_emit(sink.emit_fact("comm.bytes", dims, mean(kind.bytes), kind.bytes), "fact", "comm.bytes");
  }
  for (auto& [key, size] : sizes) {
    const std::vector<Dim> dims = dims_of_key(all, key, text, true);
    const double time = median_in_place(size.times);
    sink.fact("collective.time_ns", time, dims);
    const auto& [group, kind, bytes] = key;
    const auto factor = bus_factor(kind, size.group_size);
    if (bytes > 0 && factor && time > 0)
      sink.fact("comm.own_busbw_bytes_per_s", static_cast<double>(bytes) / time * 1e9 * *factor, dims);
  }
  if (unsized) {
    sink.skip("comm.bytes",
              "the profile does not have the sizes of all messages; export it with 'nsys export --include-blobs=true', "
              "or record with the PyTorch profiler");
  }
}

}  // namespace assay::communication
