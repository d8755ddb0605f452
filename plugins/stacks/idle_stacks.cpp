#include "idle_stacks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "algo/account/account.hpp"
#include "algo/functions/functions.hpp"
#include "assay/detail/stack_tables.hpp"
#include "samples.hpp"

namespace assay::stacks {
namespace {

/// Texts of stacks by their innermost row of ops.
class StackTexts {
 public:
  StackTexts(const Report& report, const functions::Functions& functions) : report_(report), functions_(functions) {}
  const std::string& of(Row row) {
    const auto [at, fresh] = known_.try_emplace(row, "");
    if (!fresh) return at->second;
    std::string text = functions::function_text(report_, row);
    if (const Row up = functions_.caller(row); up >= 0) text = of(up) + ";" + text;
    return known_[row] = std::move(text);
  }

 private:
  const Report& report_;
  const functions::Functions& functions_;
  std::map<Row, std::string> known_;
};

/// Idle time for host code, ns summed over the steps; of several devices the mean.
struct IdleSums {
  struct FunctionSum {
    double time = 0;
    std::map<StringId, double> inner;  ///< by the innermost frame, C code and operators included
  };
  std::map<StringId, FunctionSum> functions;  ///< 0: none
  std::map<Row, double> stacks;
  double all = 0;
  std::map<std::uint32_t, Intervals> of_thread;  ///< by the thread that was waited for
};

IdleSums sums_of(const Report& report, const step::Steps& steps) {
  IdleSums sums;
  const account::InnermostRows frames(report.ops, static_cast<std::size_t>(report.threads->rows),
                                      [](std::size_t) { return true; });
  const account::Account account(report, steps.kept);
  account.each([](std::size_t, std::size_t, const account::DeviceWork&, std::int64_t) {},
               [&](std::size_t step, std::size_t, const account::Idle& idle) {
                 if (idle.cause != IdleCause::kHost && idle.cause != IdleCause::kBetween) return;
                 const auto devices = static_cast<double>(account.devices_of(steps.kept[step]));
                 const double time = static_cast<double>(idle.time.end - idle.time.start) / devices;
                 sums.all += time;
                 const std::uint32_t thread =
                     idle.launch >= 0 ? report.calls->thread[idle.launch] : steps.kept[step].thread;
                 sums.of_thread[thread].push_back(idle.time);
                 IdleSums::FunctionSum& sum = sums.functions[idle.function < 0 ? 0 : report.ops->name[idle.function]];
                 sum.time += time;
                 if (idle.stack < 0) return;
                 sums.stacks[idle.stack] += time;
                 frames.each_in(report.ops->thread[idle.stack], idle.time, [&](Interval part, Row frame) {
                   if (frame >= 0)
                     sum.inner[report.ops->name[frame]] += static_cast<double>(part.end - part.start) / devices;
                 });
               });
  return sums;
}

/// "collect" of "<built-in function collect>", "__exit__ of _thread.lock" of a method; else as functions are said.
std::string frame_text(std::string_view name) {
  for (const std::string_view kind : {"<built-in function ", "<built-in method "}) {
    if (!name.starts_with(kind) || !name.ends_with('>')) continue;
    name = name.substr(kind.size(), name.size() - kind.size() - 1);
    return std::string(name.substr(0, name.find(" object at 0x")));
  }
  return functions::text_of(functions::read_function_name(name));
}

/// The frame with at least half of a function's time, other than itself; empty: none has.
std::string inner_text(const Report& report, StringId function, const IdleSums::FunctionSum& sum) {
  const auto most = std::ranges::max_element(sum.inner, {}, [](const auto& of) { return of.second; });
  if (most == sum.inner.end() || most->first == function || 2 * most->second < sum.time) return {};
  return frame_text(report.string(most->first));
}

void add_exact(const Report& report, const IdleSums& sums, double steps, IdleCode& to) {
  for (const auto& [name, sum] : sums.functions) {
    if (name == 0) continue;
    const functions::FunctionName read = functions::read_function_name(report.string(name));
    const double mean = sum.time / steps;
    to.functions.push_back({functions::text_of(read), std::string(read.file), mean, mean, mean,
                            std::numeric_limits<double>::quiet_NaN(), inner_text(report, name, sum)});
  }
  const functions::Functions functions(report);
  StackTexts texts(report, functions);
  std::map<std::string, double> stacks;
  for (const auto& [row, time] : sums.stacks) stacks[texts.of(row)] += time / steps;
  for (auto& [text, time] : stacks) to.stacks.push_back({text, time});
}

void add_sampled(const Report& report, const IdleSums& sums, double steps, IdleCode& to) {
  const SampledStacks samples(report);
  std::map<std::string, std::pair<IdleFunction, std::pair<std::size_t, std::size_t>>> functions;  // inside, outside
  std::map<std::string, std::size_t> stacks;
  std::size_t outside = 0;
  for (const auto& [thread, times] : sums.of_thread) {
    const Intervals idle = merge(times);
    samples.each_of(thread, [&](std::int64_t time, std::int64_t stack) {
      const auto at = std::ranges::upper_bound(idle, time, {}, &Interval::end);
      const bool inside = at != idle.end() && at->start <= time;
      ++to.samples;
      ++(inside ? to.inside : outside);
      const IdleFunction* const function = samples.function_of(stack);
      if (function == nullptr) return;
      auto& [known, counts] = functions.try_emplace(function->text, *function, std::pair(0, 0)).first->second;
      ++(inside ? counts.first : counts.second);
      if (inside) ++stacks[samples.text_of(stack)];
    });
  }
  to.lack = samples.lack();
  if (to.inside == 0 || !to.lack.empty()) return;
  const double idle = sums.all / steps, all = static_cast<double>(to.inside);
  for (auto& [text, entry] : functions) {
    auto& [function, counts] = entry;
    if (counts.first == 0) continue;
    const ShareBounds bounds = share_bounds(counts.first, to.inside);
    function.time = idle * static_cast<double>(counts.first) / all;
    function.low = idle * bounds.low;
    function.high = idle * bounds.high;
    function.outside = outside == 0 ? 0 : static_cast<double>(counts.second) / static_cast<double>(outside);
    to.functions.push_back(std::move(function));
  }
  for (const auto& [text, count] : stacks) to.stacks.push_back({text, idle * static_cast<double>(count) / all});
}

}  // namespace

ShareBounds share_bounds(std::size_t own, std::size_t all) {
  constexpr double kZ = 1.959964;
  if (all == 0) return {};
  const auto n = static_cast<double>(all);
  const double p = static_cast<double>(own) / n, denominator = 1 + kZ * kZ / n;
  const double middle = (p + kZ * kZ / (2 * n)) / denominator;
  const double half = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n)) / denominator;
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

IdleCode idle_code_of(const Report& report) {
  IdleCode out;
  const step::Steps steps = step::steps_of(report);
  const bool samples = report.table(stack_tables::kSamples.view()) != nullptr;
  const bool stacks = report.ops != nullptr && report.ops->rows > 0;
  if (steps.kept.empty() || report.kernels == nullptr || (!samples && !stacks)) return out;
  const IdleSums sums = sums_of(report, steps);
  out.steps = steps.kept.size();
  out.found = steps.found();
  const auto count = static_cast<double>(out.steps);
  for (const step::Step& step : steps.kept) out.step += static_cast<double>(step.time.end - step.time.start) / count;
  out.idle = sums.all / count;
  out.exact = std::ranges::any_of(sums.functions, [](const auto& of) { return of.first != 0; });
  if (out.exact)
    add_exact(report, sums, count, out);
  else if (samples)
    add_sampled(report, sums, count, out);
  std::ranges::stable_sort(out.functions, std::ranges::greater(), &IdleFunction::time);
  std::ranges::stable_sort(out.stacks, std::ranges::greater(), &IdleStack::time);
  return out;
}

}  // namespace assay::stacks
