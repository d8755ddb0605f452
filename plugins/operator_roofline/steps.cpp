#include "steps.hpp"

#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::roofline {

namespace {

/// The type whose dense peak MFU divides by, whatever the products ran in: a faster step of a model has a higher MFU.
Rate mfu_rate(const OperatorCalls& calls) {
  double all = 0, fp8 = 0;
  for (const OperatorRow& row : calls.rows) {
    if (!row.modelled() || !row.work.matrix) continue;
    const double flops = row.work.flops * static_cast<double>(row.calls);
    all += flops;
    fp8 += row.rate == Rate::kFp8 ? flops : 0;
  }
  return 2 * fp8 > all ? Rate::kFp8 : Rate::kFp16;
}

/// Why products have no share of the peak of that type; empty: they have.
std::string no_share(const OperatorCalls& calls, Rate rate) {
  if (calls.matrix_time() <= 0) return "no matrix product, attention or convolution with shapes was recorded";
  if (calls.peaks.flops(rate) > 0) return {};
  return filled(
      "the dense {} peak of {} is unknown (options 'device' and 'measured')",
      {std::string(rate_name(rate)), calls.peaks.device.empty() ? std::string("the device") : calls.peaks.device});
}

}  // namespace

StepUse step_use(const Report& report, const step::Steps& steps, const OperatorCalls& calls) {
  constexpr double kNs = 1e9;
  StepUse use;
  const Rate rate = mfu_rate(calls);
  const double peak = calls.peaks.flops(rate) / kNs;
  use.no_mfu = no_share(calls, rate);
  use.peak = filled("dense {} peak, {}", {rate == Rate::kFp8 ? "fp8" : "bf16/fp16", quantity(kNs * peak, "FLOP/s")});
  use.no_roof = use.no_mfu;
  for (const OperatorRow& row : calls.rows) {
    if (row.modelled() && row.work.matrix && use.no_roof.empty()) use.no_roof = no_share(calls, row.rate);
  }
  const auto is_of = [&](std::uint32_t process, const OperatorInstance& instance) {
    if (process == step::kAnyProcess) return true;
    return instance.op >= 0 && report.threads->process[report.ops->thread[instance.op]] == process;
  };
  for (const step::Step& one : steps.kept) {
    const auto time = static_cast<double>(one.time.end - one.time.start);
    if (time <= 0) continue;
    double model = 0, computed = 0;  // FLOPs
    double least = 0, at_roof = 0;   // ns
    for (const OperatorInstance& instance : calls.instances) {
      const OperatorRow& row = calls.rows[instance.row];
      const bool inside = instance.host_start >= one.host.start && instance.host_start < one.host.end;
      if (!row.modelled() || !inside || !is_of(one.process, instance)) continue;
      if (row.roof) least += row.roof->ns();
      if (!row.work.matrix) continue;
      model += instance.recomputed ? 0 : row.work.all_pairs * row.work.flops;
      computed += row.work.all_pairs * row.work.computed;
      if (use.no_roof.empty()) at_roof += kNs * row.work.computed / calls.peaks.flops(row.rate);
    }
    use.time.push_back(time);
    use.least.push_back(least);
    use.mfu.push_back(model / peak / time);
    use.hfu.push_back(computed / peak / time);
    use.of_roof.push_back(at_roof / time);
  }
  if (use.time.empty() && use.no_mfu.empty()) use.no_mfu = use.no_roof = "there is no step";
  return use;
}

}  // namespace assay::roofline
