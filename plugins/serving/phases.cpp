#include "phases.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "algo/paths/device_work.hpp"
#include "assay/algo/named_ranges.hpp"
#include "assay/algo/op_tree.hpp"

namespace assay::serving {
namespace {

/// The first number in a name.
std::optional<std::int64_t> number_in(std::string_view name) {
  const std::size_t first = name.find_first_of("0123456789");
  std::int64_t number = 0;
  if (first == std::string_view::npos ||
      std::from_chars(name.data() + first, name.data() + name.size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

struct NameUse {
  bool request = false;
  std::optional<StepName> step = {};
  bool server = false;  ///< `step` is from a server's name
};

/// The meaning of each range name.
class NameUses {
 public:
  NameUses(const Report& report, const PhaseNames& names, const StepReader& servers)
      : report_(report), names_(names), servers_(servers) {}

  const NameUse& use_of(StringId name) {
    const auto [at, fresh] = known_.try_emplace(name);
    if (fresh) at->second = look_up(report_.string(name));
    return at->second;
  }
  [[nodiscard]] std::vector<std::string> unmatched() const {
    std::vector<std::string> out;
    for (const auto* patterns : {&names_.request, &names_.prefill, &names_.decode}) {
      for (const std::string& pattern : *patterns) {
        if (!matched_.contains(pattern)) out.push_back(pattern);
      }
    }
    return out;
  }

 private:
  NameUse look_up(std::string_view name) {
    const auto is = [&](const std::vector<std::string>& patterns) {
      for (const std::string& pattern : patterns) {
        if (!range_name_matches(pattern, name) && folded_name(name) != pattern) continue;  // ids may be hashes
        matched_.insert(pattern);
        return true;
      }
      return false;
    };
    NameUse use;
    use.request = is(names_.request);
    if (is(names_.prefill))
      use.step = StepName{StepKind::kPrefill, {}, {}, {}};
    else if (is(names_.decode))
      use.step = StepName{StepKind::kDecode, {}, {}, {}};
    else if ((use.step = servers_(name)))
      use.server = true;
    return use;
  }

  const Report& report_;
  const PhaseNames& names_;
  const StepReader& servers_;
  std::unordered_map<StringId, NameUse> known_;
  std::set<std::string, std::less<>> matched_;
};

/// A row of `ranges` or `spans`.
struct RangeRow {
  const RangeTable* table;
  std::size_t row;
};

/// Rows by the key of the instance that NamedRanges makes of them.
using Key = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;
using RowsByKey = std::map<Key, RangeRow>;

/// The ranges for which `belongs(name)`, with their device work.
class PhaseRanges {
 public:
  template <class Belongs>
  PhaseRanges(const Report& report, const Belongs& belongs) : report_(report), ranges_(report, patterns(belongs)) {
    for (const RangeTable* table : {report.ranges, report.spans}) {
      for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
        if (belongs(table->name[r])) rows_.try_emplace({table->thread[r], table->start[r], table->end[r]}, table, r);
      }
    }
    for (const NamedRanges::Instance& i : ranges_.instances())
      served_.push_back({{i.start, i.end}, i.end, 0, i.process, i.thread});
    add_work();
  }

  /// Calls `use(ServedRange, name)` for those in the window, by start.
  template <class Use>
  void each(Use&& use) {
    std::vector<std::size_t> order(served_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return served_[i].host.start; });
    for (const std::size_t i : order) {
      ServedRange& range = served_[i];
      const auto at = rows_.find({range.thread, range.host.start, range.host.end});
      if (at == rows_.end() || !on_host_in_window(report_, range.host.start, range.host.end)) continue;
      const auto [table, row] = at->second;
      range.open = table->open.present() && table->open[row] != 0;
      range.number = number_in(report_.string(table->name[row]));
      range.several_numbers = folded_name(report_.string(table->name[row])).find("{j}") != std::string::npos;
      use(range, table->name[row]);
    }
  }

 private:
  /// Distinct names, as patterns that match only themselves.
  template <class Belongs>
  std::vector<std::string> patterns(const Belongs& belongs) const {
    std::set<StringId> names;
    for (const RangeTable* table : {report_.ranges, report_.spans}) {
      for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
        if (belongs(table->name[r])) names.insert(table->name[r]);
      }
    }
    std::set<std::string> out;
    for (const StringId id : names) {
      const std::string_view name = report_.string(id);
      std::string folded = folded_name(name);
      out.insert(range_name_matches(folded, name) ? std::move(folded) : std::string(name));
    }
    return {out.begin(), out.end()};
  }

  void add_work() {
    std::vector<UnionMeasure> busy(served_.size());
    each_device_work(report_, [&](const DeviceWorkItem& work) {
      if (work.call == kNone || ranges_.empty()) return;
      const std::int32_t i = ranges_.of_call(work.call);
      if (i == kNone) return;
      const auto at = static_cast<std::size_t>(i);
      served_[at].end = std::max(served_[at].end, work.end);
      busy[at].add(work.start, work.end);
    });
    for (std::size_t i = 0; i < busy.size(); ++i) served_[i].gpu = busy[i].total();
  }

  const Report& report_;
  NamedRanges ranges_;
  RowsByKey rows_;
  std::vector<ServedRange> served_;
};

}  // namespace

Phases phases_of(const Report& report, const PhaseNames& names, const StepReader& servers) {
  Phases out;
  NameUses uses(report, names, servers);
  PhaseRanges requests(report, [&](StringId name) { return uses.use_of(name).request; });
  requests.each([&](const ServedRange& range, StringId) { out.requests.push_back(range); });
  PhaseRanges steps(report, [&](StringId name) { return uses.use_of(name).step.has_value(); });
  steps.each([&](const ServedRange& range, StringId name) {
    if (range.open) {
      ++out.open_steps;
      return;
    }
    out.named_steps = out.named_steps || uses.use_of(name).server;
    out.steps.push_back({range, *uses.use_of(name).step});
  });
  out.unmatched = uses.unmatched();
  return out;
}

}  // namespace assay::serving
