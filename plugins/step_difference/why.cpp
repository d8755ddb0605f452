#include "why.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "algo/functions/function_name.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "conditions.hpp"
#include "portable_name.hpp"

namespace assay::difference {
namespace {

std::string percent(double share) { return fixed(100 * share, 0) + " %"; }

std::string from_to(const std::string& what, std::int32_t before, std::int32_t after) {
  return filled("{} {} to {}", {what, std::to_string(before), std::to_string(after)});
}

/// Registers and shared memory are properties of the compiled kernel.
std::string other_code(const KernelTraits& b, const KernelTraits& a) {
  std::string out;
  const auto add = [&](const char* what, std::int32_t before, std::int32_t after) {
    if (before >= 0 && after >= 0 && before != after) out += (out.empty() ? "" : ", ") + from_to(what, before, after);
  };
  add("registers", b.registers, a.registers);
  add("static shared memory", b.static_shared, a.static_shared);
  add("dynamic shared memory", b.dynamic_shared, a.dynamic_shared);
  return out;
}

/// Nsight Compute measurements of one launch.
void explain_counters(const KernelTraits& b, const KernelTraits& a, std::vector<std::string>& why) {
  constexpr double kOtherBytes = 0.05, kOtherWarps = 0.05;
  if (b.dram_bytes >= 0 && a.dram_bytes >= 0 &&
      std::abs(a.dram_bytes - b.dram_bytes) > kOtherBytes * std::max(a.dram_bytes, b.dram_bytes)) {
    why.push_back(filled("{} bytes of DRAM per launch by counters: {} to {}",
                         {a.dram_bytes > b.dram_bytes ? "more" : "fewer", quantity(b.dram_bytes, "bytes"),
                          quantity(a.dram_bytes, "bytes")}));
  }
  if (b.active_warps >= 0 && a.active_warps >= 0 && std::abs(a.active_warps - b.active_warps) > kOtherWarps)
    why.push_back(
        filled("achieved occupancy {} to {} by counters", {percent(b.active_warps), percent(a.active_warps)}));
}

void explain_partners(const Item& b, const Item& a, const AlignedItem& row, std::vector<std::string>& why) {
  if (b.key.shape != a.key.shape && !b.key.shape.empty() && !a.key.shape.empty())
    why.push_back(filled("{}{} to {}", {b.key.kind == ItemKind::kCopy ? "other size: " : "other launch shape: ",
                                        b.key.shape, a.key.shape}));
  if (row.match == Match::kOtherTemplate) why.emplace_back("other template arguments");
  if (row.match == Match::kMoved && b.key.path != a.key.path)
    why.push_back(filled("launched in {}, before in {}", {a.key.path.empty() ? std::string("the step") : a.key.path,
                                                          b.key.path.empty() ? std::string("the step") : b.key.path}));
  if (b.key.inputs != a.key.inputs && !b.key.inputs.empty() && !a.key.inputs.empty())
    why.push_back(filled("other inputs: {} to {}", {b.key.inputs, a.key.inputs}));
  if (const std::string code = other_code(b.traits, a.traits); !code.empty()) why.push_back("other code: " + code);
  if (b.traits.occupancy >= 0 && a.traits.occupancy >= 0 && std::abs(b.traits.occupancy - a.traits.occupancy) > 0.02) {
    why.push_back(filled("occupancy {} to {}", {percent(b.traits.occupancy), percent(a.traits.occupancy)}));
  }
  explain_counters(b.traits, a.traits, why);
  if (b.traits.memory != a.traits.memory && !b.traits.memory.empty() && !a.traits.memory.empty())
    why.push_back(filled("host memory {} to {}", {b.traits.memory, a.traits.memory}));
  if (b.key.kind == ItemKind::kCopy && b.sums.count > 0 && a.sums.count > 0) {
    const auto hidden = [](const Item& item) {
      return item.sums.device > 0 ? 1 - static_cast<double>(item.sums.wall) / static_cast<double>(item.sums.device) : 0;
    };
    if (std::abs(hidden(a) - hidden(b)) > 0.1)
      why.push_back(filled("{} to {} of it hidden beside kernels", {percent(hidden(b)), percent(hidden(a))}));
  }
  const auto share = [](std::int64_t part, std::int64_t all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
  };
  const double bound_b = share(b.sums.launch_bound, b.sums.count), bound_a = share(a.sums.launch_bound, a.sums.count);
  if (std::abs(bound_a - bound_b) > 0.2)
    why.push_back(filled("{} to {} of its launches waited for the host", {percent(bound_b), percent(bound_a)}));
  const auto add_beside = [&](std::int64_t ItemSums::* beside, const char* what) {
    const double beside_b = share(b.sums.*beside, b.sums.device), beside_a = share(a.sums.*beside, a.sums.device);
    if (std::abs(beside_a - beside_b) > 0.1)
      why.push_back(filled("{} to {} of its time beside a {}", {percent(beside_b), percent(beside_a), what}));
  };
  add_beside(&ItemSums::beside_communication, "collective");
  add_beside(&ItemSums::beside_copies, "copy");
}

std::string counted_calls(double count) { return fixed(count, count < 10 && count != std::floor(count) ? 1 : 0); }

void explain_idle(const Comparison& c, const Item& item, Finding& finding) {
  for (const WaitChange& wait : c.waits) {
    // Host code after a wait is reported where it ran, which may not be where the wait was.
    const bool own = portable_call(wait.name) == portable_call(item.key.name) &&
                     (wait.place == item.key.path || item.key.op == "host");
    if (!own || std::abs(wait.after - wait.before) < 0.01) continue;
    const std::string before = counted_calls(wait.before), after = counted_calls(wait.after);
    finding.why.push_back(wait.name + (wait.after == 0    ? " is gone (" + before + " per step)"
                                       : wait.before == 0 ? " is new (" + after + " per step)"
                                                          : filled(" {} to {} per step", {before, after})));
  }
  const bool function = functions::read_function_name(item.key.path.substr(item.key.path.rfind('/') + 1)).line >= 0;
  if (finding.why.empty() && item.key.op == "host" && !function)
    finding.unknown = ": record Python samples or stacks to see the host code";
}

}  // namespace

void add_reasons(Comparison& c) {
  const KernelSpeed speed = kernel_speed(c);
  for (Finding& finding : c.findings) {
    const Change& change = c.alignment.changes[finding.change];
    const bool single = change.rows.size() == 1;
    bool counted = true;  // by Nsight Compute, on both sides
    for (const std::uint32_t r : change.rows) {
      const AlignedItem& row = c.alignment.rows[r];
      const Item* b = row.before == kNoItem ? nullptr : &c.before.items[row.before];
      const Item* a = row.after == kNoItem ? nullptr : &c.after.items[row.after];
      counted = counted && b != nullptr && a != nullptr && b->traits.has_counters() && a->traits.has_counters();
      if ((b != nullptr ? b : a)->key.kind == ItemKind::kIdle) {
        if (finding.why.empty() && finding.unknown.empty()) explain_idle(c, *(b != nullptr ? b : a), finding);
      } else if (b != nullptr && a != nullptr && single) {
        explain_partners(*b, *a, row, finding.why);
        const double ratio = b->sums.per_call() > 0 ? a->sums.per_call() / b->sums.per_call() : 1;
        if (finding.why.empty() && speed.common && alike(ratio, speed.ratio))
          finding.why.push_back(
              filled("nearly all kernels are {} % {}: other clock or power state",
                     {fixed(100 * std::abs(speed.ratio - 1), 1), speed.ratio > 1 ? "slower" : "faster"}));
      }
    }
    const bool known = !finding.why.empty() || !finding.unknown.empty();
    if (known || !finding.told || change.replaced || finding.structural) continue;
    finding.unknown = finding.kind == ItemKind::kIdle   ? ": record events of streams"
                      : finding.kind == ItemKind::kCopy ? ": record PCIe throughput"
                      : counted                         ? ", counters are alike: record clocks"
                                                        : ": record clocks, or counters with Nsight Compute";
  }
}

}  // namespace assay::difference
