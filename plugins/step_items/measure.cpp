#include "measure.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "algo/account/account.hpp"
#include "algo/communicating.hpp"
#include "algo/idle/idle.hpp"
#include "algo/idle/waits.hpp"
#include "assay/algo/named_ranges.hpp"
#include "assay/algo/speed_of_light.hpp"
#include "assay/words.hpp"
#include "launch_place.hpp"
#include "step_ranges.hpp"

namespace assay::step_items {
namespace {

/// Numbers that identify an item within one report.
struct ItemNumbers {
  std::uint32_t kind = 0, path = 0, op = 0, inputs = 0, name = 0;
  std::int64_t shape[6] = {0, 0, 0, 0, 0, 0};
  friend bool operator==(const ItemNumbers&, const ItemNumbers&) = default;
};

struct HashOfNumbers {
  std::size_t operator()(const ItemNumbers& n) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    const auto mix = [&](std::uint64_t value) {
      hash = (hash ^ value) * 0xff51afd7ed558ccdULL;
      hash ^= hash >> 32;
    };
    mix(std::uint64_t{n.kind} << 32 | n.path);
    mix(std::uint64_t{n.op} << 32 | n.inputs);
    mix(n.name);
    for (const std::int64_t size : n.shape) mix(static_cast<std::uint64_t>(size));
    return hash;
  }
};

template <class T>
T cell(const Column<T>& column, std::size_t row, T absent) {
  return column.present() ? column[row] : absent;
}

std::string memory_word(MemoryKind kind) {
  return kind == MemoryKind::kPageable  ? "pageable"
         : kind == MemoryKind::kPinned  ? "pinned"
         : kind == MemoryKind::kManaged ? "managed"
                                        : "";
}

constexpr auto kSyncCause =
    static_cast<std::uint32_t>(IdleCause::kNotIdle);  ///< blocked in a call that waits for the device

constexpr std::int64_t kLongIdle = 10'000'000;  // ns

/// Word for the cause of an idle item.
std::string cause_of(std::uint32_t number) {
  if (number == kSyncCause) return "sync";
  const auto cause = static_cast<IdleCause>(number);
  return cause == IdleCause::kBlocked ? "api" : std::string(idle_cause_name(cause));
}

class Measurement {
 public:
  Measurement(const Report& report, const step::Steps& steps, const account::Account& account, const NameRules& classes)
      : report_(report),
        classes_(classes),
        steps_(steps),
        account_(account),
        places_(report, steps_),
        waits_(idle::waits_of_calls(report)),
        threads_(report, waits_),
        speeds_(report) {}

  RunMeasure measure() {
    out_.name = std::string(report_.path.view());
    add_steps();
    add_kernels();
    add_work(report_.graphs, ItemKind::kGraph, [&](std::size_t r, ItemNumbers& n) {
      n.shape[0] = graph_number(cell<std::int64_t>(report_.graphs->graph, r, 0));
    });
    add_work(report_.copies, ItemKind::kCopy, [&](std::size_t r, ItemNumbers& n) {
      n.shape[0] = cell<std::int64_t>(report_.copies->bytes, r, -1);
      n.name = static_cast<std::uint32_t>(cell(report_.copies->direction, r, CopyDirection::kUnknown));
    });
    add_work(report_.sets, ItemKind::kSet,
             [&](std::size_t r, ItemNumbers& n) { n.shape[0] = cell<std::int64_t>(report_.sets->bytes, r, -1); });
    add_account();
    add_waits();
    add_launch_calls();
    add_devices();
    finish();
    return std::move(out_);
  }

 private:
  void add_steps() {
    for (const step::Step& step : steps_.kept) {
      out_.step_times.push_back(step.time.end - step.time.start);
      out_.time += out_.step_times.back();
    }
    out_.step_source = step_source_name(steps_.source);
    out_.step_word = step_word(steps_);
    out_.left_out = step::left_out_text(steps_);
    if (steps_.found()) out_.step_name = folded_name(steps_.kept.front().name);
  }

  std::uint32_t item_of(const ItemNumbers& numbers) {
    // Steps repeat, so the successor of an item is likely the same as last time.
    std::uint32_t* const guess = last_ == kNoItem ? nullptr : &next_[last_];
    if (guess != nullptr && *guess != kNoItem && numbers_[*guess] == numbers) return last_ = *guess;
    const auto [at, added] = known_.try_emplace(numbers, static_cast<std::uint32_t>(sums_.size()));
    if (guess != nullptr) *guess = at->second;
    if (added) {
      sums_.emplace_back();
      numbers_.push_back(numbers);
      traits_.emplace_back();
      next_.push_back(kNoItem);
    }
    return last_ = at->second;
  }

  void add_place(Row call, Row op, ItemNumbers& numbers) {
    numbers.path = places_.path_of(call);
    if (op < 0) return;
    numbers.path = places_.with_modules(numbers.path, op);
    const Row outer = places_.outer_operator(op);
    if (outer < 0) return;
    numbers.op = report_.ops->name[outer];
    if (report_.ops->input_dims.present()) numbers.inputs = report_.ops->input_dims[outer];
  }

  /// Row of the kept steps that work belongs to.
  [[nodiscard]] std::int32_t step_of(Row call, std::int64_t start) const {
    return call >= 0 ? places_.step_of_call(call) : step_at(steps_.kept, start);
  }

  void add_kernels() {
    if (report_.kernels == nullptr) return;
    const KernelTable& k = *report_.kernels;
    const std::vector<std::uint8_t> communicates = communicating_kernels(report_);
    of_kernels_.assign(k.rows, kNoItem);
    const auto middle = static_cast<std::int32_t>(steps_.kept.size() / 2);
    std::vector<std::pair<std::int64_t, std::uint32_t>> launches;
    std::unordered_map<std::uint64_t, std::int64_t> reach;  // of each stream
    std::uint64_t stream = 0;
    std::int64_t* end = &reach[stream];
    for (std::size_t r = 0; r < k.rows; ++r) {
      if (k.membership[r] == Membership::kOutside) continue;
      ItemNumbers n;
      n.kind = static_cast<std::uint32_t>(communicates[r] != 0 ? ItemKind::kCommunication : ItemKind::kKernel);
      add_place(k.call[r], k.op.present() ? k.op[r] : kNone, n);
      n.name = cell(k.name, r, StringId{0});
      if (k.grid_x.present()) {
        n.shape[0] = k.grid_x[r];
        n.shape[1] = k.grid_y[r];
        n.shape[2] = k.grid_z[r];
      }
      if (k.block_x.present()) {
        n.shape[3] = k.block_x[r];
        n.shape[4] = k.block_y[r];
        n.shape[5] = k.block_z[r];
      }
      const std::uint32_t item = item_of(n);
      of_kernels_[r] = item;
      if (traits_[item].base.empty()) describe(r, traits_[item]);
      const std::uint64_t own =
          std::uint64_t{static_cast<std::uint32_t>(k.device[r])} << 32 | static_cast<std::uint32_t>(k.stream[r]);
      if (own != stream) {
        stream = own;
        end = &reach[own];
      }
      const std::int32_t step = step_of(k.call[r], k.start[r]);
      if (step >= 0) {
        count(item, k.end[r] - k.start[r]);
        if (k.call[r] >= 0 && k.start[r] > *end && report_.calls->end[k.call[r]] > *end) ++sums_[item].launch_bound;
        if (step == middle) launches.emplace_back(k.call[r] >= 0 ? report_.calls->start[k.call[r]] : k.start[r], item);
      }
      *end = std::max(*end, k.end[r]);
    }
    std::stable_sort(launches.begin(), launches.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [time, item] : launches) out_.launches.push_back(item);
  }

  void describe(std::size_t r, KernelTraits& traits) {
    const KernelTable& k = *report_.kernels;
    traits.base = std::string(report_.string(cell(k.short_name, r, StringId{0})));
    traits.registers = cell(k.registers, r, kNone);
    traits.static_shared = cell(k.static_shared, r, kNone);
    traits.dynamic_shared = cell(k.dynamic_shared, r, kNone);
    if (k.occupancy.present() && k.occupancy[r] >= 0) traits.occupancy = k.occupancy[r];
    const auto speed = k.profiled.present() ? speeds_.groups().find(k.profiled[r]) : speeds_.groups().end();
    if (speed != speeds_.groups().end()) {
      const SpeedOfLight& measured = speed->second;
      if (measured.dram_rate && measured.duration) traits.dram_bytes = *measured.dram_rate * *measured.duration / 1e9;
      traits.active_warps = measured.occupancy.value_or(-1);
    }
    traits.kernel_class = std::string(classes_.class_of(report_.string(cell(k.name, r, StringId{0}))));
  }

  void count(std::uint32_t item, std::int64_t length) {
    ++sums_[item].count;
    sums_[item].device += length;
  }

  /// Graph ids differ between runs, but the order of their first launches does not.
  std::int64_t graph_number(std::int64_t id) {
    return graphs_.try_emplace(id, static_cast<std::int64_t>(graphs_.size()) + 1).first->second;
  }

  template <class Table, class Describe>
  void add_work(const Table* table, ItemKind kind, const Describe& describe_numbers) {
    if (table == nullptr) return;
    std::vector<std::uint32_t>& items = kind == ItemKind::kGraph  ? of_graphs_
                                        : kind == ItemKind::kCopy ? of_copies_
                                                                  : of_sets_;
    items.assign(table->rows, kNoItem);
    for (std::size_t r = 0; r < table->rows; ++r) {
      if (table->membership[r] == Membership::kOutside) continue;
      ItemNumbers n;
      n.kind = static_cast<std::uint32_t>(kind);
      const Row call = table->call[r];
      add_place(call, call >= 0 && report_.calls->op.present() ? report_.calls->op[call] : kNone, n);
      describe_numbers(r, n);
      const std::uint32_t item = item_of(n);
      items[r] = item;
      if (step_of(call, table->start[r]) >= 0) count(item, table->end[r] - table->start[r]);
      if constexpr (std::is_same_v<Table, CopyTable>) {
        const bool to_device = cell(table->direction, r, CopyDirection::kUnknown) == CopyDirection::kHostToDevice;
        const auto& host = to_device ? table->source_kind : table->target_kind;
        if (host.present()) traits_[item].memory = memory_word(host[r]);
      }
    }
  }

  [[nodiscard]] std::uint32_t item_of(const account::DeviceWork& work) const {
    switch (work.kind) {
      case AccountKind::kGraph:
        return of_graphs_[work.row];
      case AccountKind::kCopy:
        return of_copies_[work.row];
      case AccountKind::kSet:
        return of_sets_[work.row];
      default:
        return of_kernels_[work.row];
    }
  }

  void add_account() {
    std::vector<std::int64_t> devices(steps_.kept.size(), 0);  // of each step
    std::vector<double> walls(sums_.size(), 0);
    for (std::size_t s = 0; s < steps_.kept.size(); ++s) devices[s] = account_.devices_of(steps_.kept[s]);
    const auto add = [&](std::uint32_t item, std::size_t step, std::int64_t ns) {
      if (item >= walls.size()) walls.resize(item + 1, 0);
      walls[item] += static_cast<double>(ns) / static_cast<double>(devices[step]);
    };
    account_.each([&](std::size_t step, std::size_t, const account::DeviceWork& work,
                      std::int64_t ns) { add(item_of(work), step, ns); },
                  [&](std::size_t step, std::size_t, const account::Idle& idle) {
                    const std::uint32_t item = item_of_idle(idle);
                    const std::int64_t ns = idle.time.end - idle.time.start;
                    count(item, ns);
                    add(item, step, ns);
                    if (ns >= kLongIdle)
                      out_.long_idle[cause_of(numbers_[item].op)] +=
                          static_cast<double>(ns) / static_cast<double>(devices[step]);
                  });
    round(walls, std::ranges::any_of(devices, [](std::int64_t count) { return count > 1; }));
    for (const account::DeviceAccount& device : account_.devices()) {
      add_beside(device, device.communication, &ItemSums::beside_communication);
      add_beside(device, device.copies, &ItemSums::beside_copies);
    }
  }

  /// Of several devices the mean: whole ns that still sum to the time of the steps, to which one device's add up as
  /// they are.
  void round(const std::vector<double>& walls, bool means) {
    wall_.assign(sums_.size(), 0);
    std::int64_t left = out_.time;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < walls.size(); ++i) {
      wall_[i] = static_cast<std::int64_t>(walls[i]);
      left -= wall_[i];
      if (walls[i] > walls[largest]) largest = i;
    }
    if (left < 0 || left > (means ? static_cast<std::int64_t>(walls.size()) : 0))
      throw std::logic_error("the parts of the steps do not add up to their time");
    if (!wall_.empty()) wall_[largest] += left;
  }

  /// How long kernels ran concurrently with other work, which shares their memory or processors.
  void add_beside(const account::DeviceAccount& device, const std::vector<account::DeviceWork>& others,
                  std::int64_t ItemSums::* beside) {
    if (others.empty()) return;
    Intervals busy;
    busy.reserve(others.size());
    for (const account::DeviceWork& w : others) busy.push_back({w.start, w.end});
    busy = merge(busy);
    std::size_t at = 0;
    for (const account::DeviceWork& w : device.compute) {
      while (at < busy.size() && busy[at].end <= w.start) ++at;
      for (std::size_t b = at; b < busy.size() && busy[b].start < w.end; ++b)
        sums_[item_of(w)].*beside += std::min(w.end, busy[b].end) - std::max(w.start, busy[b].start);
    }
  }

  std::uint32_t item_of_idle(const account::Idle& idle) {
    ItemNumbers n;
    n.kind = static_cast<std::uint32_t>(ItemKind::kIdle);
    n.op = static_cast<std::uint32_t>(idle.cause);
    if (idle.cause == IdleCause::kBlocked) {
      if (waits_[static_cast<std::size_t>(idle.blocked)] != idle::WaitKind::kNone) n.op = kSyncCause;
      n.name = cell(report_.calls->name, static_cast<std::size_t>(idle.blocked), StringId{0});
      n.path = places_.path_of(idle.blocked);
    } else if (idle.cause == IdleCause::kStated) {
      n.name = report_.causes->name[idle.stated];
      n.path = places_.path_of(idle.launch);
    } else if (idle.cause == IdleCause::kHost && (idle.range >= 0 || idle.function >= 0)) {
      n.path = places_.path_in(idle.range, idle.function);
    } else if (idle.cause == IdleCause::kBetween && idle.function >= 0) {
      n.path = places_.path_in(kNone, idle.function);
    } else if (idle.cause != IdleCause::kBetween) {
      n.path = places_.path_of(idle.launch);
    }
    // Without the wait for the work before it the host would have gone on earlier.
    const bool of_host =
        idle.cause == IdleCause::kHost || idle.cause == IdleCause::kLaunch || idle.cause == IdleCause::kCalls;
    if (const Row waited = of_host && idle.launch >= 0 ? threads_.waiting_at(idle.launch, idle.since) : kNone;
        waited >= 0)
      n.name = cell(report_.calls->name, static_cast<std::size_t>(waited), StringId{0});
    return item_of(n);
  }

  void add_waits() {
    if (report_.calls == nullptr) return;
    const CallTable& calls = *report_.calls;
    std::map<std::pair<std::uint32_t, StringId>, WaitingCall> found;
    for (std::size_t c = 0; c < calls.rows; ++c) {
      const auto call = static_cast<Row>(c);
      if (waits_[c] == idle::WaitKind::kNone || places_.step_of_call(call) < 0) continue;
      WaitingCall& wait = found[{places_.path_of(call), cell(calls.name, c, StringId{0})}];
      ++wait.count;
      wait.host += calls.end[c] - calls.start[c];
    }
    for (auto& [key, wait] : found) {
      wait.path = places_.text(key.first);
      wait.name = std::string(report_.string(key.second));
      out_.waits.push_back(std::move(wait));
    }
    std::sort(out_.waits.begin(), out_.waits.end(), [](const WaitingCall& a, const WaitingCall& b) {
      return std::tie(a.path, a.name) < std::tie(b.path, b.name);
    });
  }

  void add_launch_calls() {
    if (report_.calls == nullptr) return;
    for (std::size_t c = 0; c < report_.calls->rows; ++c) {
      const CallKind kind = report_.calls->kind[c];
      if (kind != CallKind::kKernelLaunch && kind != CallKind::kGraphLaunch) continue;
      if (places_.step_of_call(static_cast<Row>(c)) < 0) continue;
      ++out_.launch_calls.all;
      out_.launch_calls.graphs += kind == CallKind::kGraphLaunch ? 1 : 0;
    }
  }

  void add_devices() {
    for (std::size_t d = 0; d < report_.devices->rows; ++d) {
      const std::string name(report_.devices->name[d].view());
      if (!name.empty() && out_.devices.find(name) == std::string::npos)
        out_.devices += (out_.devices.empty() ? "" : " + ") + name;
    }
  }

  [[nodiscard]] ItemKey key_of(const ItemNumbers& n) const {
    ItemKey key;
    key.kind = static_cast<ItemKind>(n.kind);
    key.path = places_.text(n.path);
    if (key.kind == ItemKind::kIdle) {
      key.op = cause_of(n.op);
      key.name = std::string(report_.string(n.name));
      return key;
    }
    key.op = std::string(report_.string(n.op));
    key.inputs = std::string(report_.string(n.inputs));
    if (key.kind == ItemKind::kCopy) {
      key.name = std::string(direction_name(static_cast<CopyDirection>(n.name)));
      key.shape = n.shape[0] < 0 ? "" : std::to_string(n.shape[0]) + " bytes";
    } else if (key.kind == ItemKind::kSet) {
      key.name = "memset";
      key.shape = n.shape[0] < 0 ? "" : std::to_string(n.shape[0]) + " bytes";
    } else if (key.kind == ItemKind::kGraph) {
      key.name = "CUDA graph " + std::to_string(n.shape[0]);
    } else {
      key.name = std::string(report_.string(n.name));
      const auto size = [&](std::size_t at) {
        return filled("{}x{}x{}",
                      {std::to_string(n.shape[at]), std::to_string(n.shape[at + 1]), std::to_string(n.shape[at + 2])});
      };
      if (n.shape[0] > 0 && n.shape[3] > 0) key.shape = size(0) + " of " + size(3);
    }
    return key;
  }

  /// Merges items with equal keys: two names of a report may be the same text.
  void finish() {
    std::map<ItemKey, std::vector<std::uint32_t>> by_key;
    for (std::uint32_t i = 0; i < sums_.size(); ++i) by_key[key_of(numbers_[i])].push_back(i);
    std::vector<std::uint32_t> place(sums_.size(), 0);
    for (auto& [key, items] : by_key) {
      Item item{key, {}, traits_[items.front()]};
      for (const std::uint32_t i : items) {
        sums_[i].wall = wall_[i];
        item.sums.add(sums_[i]);
        place[i] = static_cast<std::uint32_t>(out_.items.size());
      }
      out_.items.push_back(std::move(item));
    }
    for (std::uint32_t& launch : out_.launches) launch = place[launch];
  }

  static constexpr std::uint32_t kNoItem = static_cast<std::uint32_t>(-1);

  const Report& report_;
  const NameRules& classes_;
  const step::Steps& steps_;
  const account::Account& account_;
  LaunchPlaces places_;
  std::vector<idle::WaitKind> waits_;
  idle::ThreadCalls threads_;
  SpeedsOfLight speeds_;
  RunMeasure out_;
  std::unordered_map<ItemNumbers, std::uint32_t, HashOfNumbers> known_;
  std::uint32_t last_ = kNoItem;
  std::vector<std::uint32_t> next_;              ///< by item: its last successor
  std::map<std::int64_t, std::int64_t> graphs_;  ///< id to number
  std::vector<ItemNumbers> numbers_;
  std::vector<ItemSums> sums_;
  std::vector<KernelTraits> traits_;
  std::vector<std::int64_t> wall_;
  std::vector<std::uint32_t> of_kernels_, of_graphs_, of_copies_, of_sets_;  ///< items by row of their table
};

}  // namespace

RunMeasure measure_run(const Report& report, const step::Steps& steps, const account::Account& account,
                       const NameRules& classes) {
  return Measurement(report, steps, account, classes).measure();
}

}  // namespace assay::step_items
