#include "steps.hpp"

#include "assay/words.hpp"

namespace assay::roofline {

StepUse step_use(const Report& report, const step::Steps& steps, const OperatorCalls& calls) {
  StepUse use;
  if (calls.matrix_time() <= 0) use.no_mfu = "no matrix product, attention or convolution with shapes was recorded";
  for (const OperatorRow& row : calls.rows) {
    if (!row.modelled() || !row.work.matrix || calls.peaks.flops(row.rate) > 0 || !use.no_mfu.empty()) continue;
    use.no_mfu = filled("the dense {} peak of {} is unknown (options 'device' and 'measured')",
                        {std::string(rate_name(row.rate)),
                         calls.peaks.device.empty() ? std::string("the device") : calls.peaks.device});
  }
  const auto is_of = [&](std::uint32_t process, const OperatorInstance& instance) {
    if (process == step::kAnyProcess) return true;
    return instance.op >= 0 && report.threads->process[report.ops->thread[instance.op]] == process;
  };
  for (const step::Step& one : steps.kept) {
    const auto time = static_cast<double>(one.time.end - one.time.start);
    if (time <= 0) continue;
    double model = 0, computed = 0, least = 0;  // ns at the peak
    for (const OperatorInstance& instance : calls.instances) {
      const OperatorRow& row = calls.rows[instance.row];
      const bool inside = instance.host_start >= one.host.start && instance.host_start < one.host.end;
      if (!row.modelled() || !inside || !is_of(one.process, instance)) continue;
      if (row.roof) least += row.roof->ns();
      const double peak = calls.peaks.flops(row.rate);
      if (!row.work.matrix || peak <= 0) continue;
      constexpr double kNs = 1e9;
      model += instance.recomputed ? 0 : kNs * row.work.flops / peak;
      computed += kNs * row.work.computed / peak;
    }
    use.time.push_back(time);
    use.least.push_back(least);
    use.mfu.push_back(model / time);
    use.hfu.push_back(computed / time);
  }
  if (use.time.empty() && use.no_mfu.empty()) use.no_mfu = "there is no step";
  return use;
}

}  // namespace assay::roofline
