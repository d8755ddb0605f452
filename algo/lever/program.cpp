#include "algo/lever/program.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "algo/account/idle_causes.hpp"
#include "algo/functions/function_name.hpp"
#include "algo/functions/functions.hpp"
#include "algo/replay/nodes.hpp"
#include "assay/algo/named_ranges.hpp"

namespace assay::lever {
namespace {

using replay::Edge;
using replay::EdgeKind;
using replay::Node;
using replay::NodeKind;
using replay::Point;

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

/// Calls of CUDA and HIP that allocate or free, for which a device is often waited for.
bool allocates(std::string_view name) {
  for (const std::string_view api : {"cuda", "cu", "hip"}) {
    if (!name.starts_with(api)) continue;
    name.remove_prefix(api.size());
    break;
  }
  if (!name.starts_with("Mem")) return begins_with_any(name, {"Malloc", "Free", "HostAlloc", "HostFree", "HostReg"});
  return begins_with_any(name.substr(3), {"Alloc", "Free", "HostAlloc", "HostFree", "HostReg", "Map", "Unmap", "Create",
                                          "Release", "SetAccess"});
}

/// Calls that only ask for something or note it.
bool only_asks(std::string_view name) {
  constexpr std::string_view kAsks[] = {"Get",         "IsCapturing", "Query",       "PeekAt",
                                        "EventRecord", "EventCreate", "OccupancyMax"};
  return std::ranges::any_of(kAsks, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

/// Folded names of ranges, and functions, by number.
class PlaceNames {
 public:
  PlaceNames(const Report& report, std::vector<std::string>& names, std::vector<std::uint8_t>& is_function)
      : report_(report), names_(names), is_function_(is_function) {
    names_.assign(1, "");
    is_function_.assign(1, 0);
    of_text_.emplace("", kNoPlace);  // a range without a name is none
  }
  Place of(Row range) {
    if (range < 0) return kNoPlace;
    const StringId name = report_.ranges->name[range];
    const auto [known, added] = of_name_.try_emplace(name, kNoPlace);
    if (added) known->second = number_of(folded_name(report_.string(name)), 0);
    return known->second;
  }
  /// kNoPlace unless it says more than the range around it.
  Place of_function(Row function, Row range, const functions::Functions& functions) {
    if (function < 0 || !functions.is_within(function, range)) return kNoPlace;
    const auto [known, added] = of_function_.try_emplace(report_.ops->name[function], kNoPlace);
    if (added) known->second = number_of(functions::function_text(report_, function), 1);
    return known->second;
  }

 private:
  Place number_of(const std::string& text, std::uint8_t is_function) {
    const auto [place, fresh] = of_text_.try_emplace(text, static_cast<Place>(names_.size()));
    if (fresh) {
      names_.push_back(text);
      is_function_.push_back(is_function);
    }
    return place->second;
  }

  const Report& report_;
  std::vector<std::string>& names_;
  std::vector<std::uint8_t>& is_function_;
  std::unordered_map<StringId, Place> of_name_, of_function_;
  std::map<std::string, Place> of_text_;
};

/// Where host code is: ranges and functions of each thread; of a thread without ranges, as autograd's, the ranges of
/// the steps' thread.
class CodePlaces {
 public:
  CodePlaces(const Report& report, std::uint32_t steps_thread, std::vector<std::string>& names,
             std::vector<std::uint8_t>& is_function)
      : steps_thread_(steps_thread),
        ranges_(account::innermost_ranges(report)),
        functions_(report),
        names_(report, names, is_function) {}

  /// Calls `use(part, place, function)` for the parts of a time.
  template <class Use>
  void each_in(std::uint32_t thread, Interval time, const Use& use) {
    const auto in_range = [&](Interval in, Row range) {
      functions_.each_in(thread, in, [&](Interval part, Row stack) {
        use(part, names_.of(range), names_.of_function(functions_.owner_of(stack), range, functions_));
      });
    };
    ranges_.each_in(thread, time, [&](Interval part, Row range) {
      if (range != kNone || thread == steps_thread_) return in_range(part, range);
      ranges_.each_in(steps_thread_, part, in_range);
    });
  }

 private:
  std::uint32_t steps_thread_;
  account::InnermostRows ranges_;
  functions::Functions functions_;
  PlaceNames names_;
};

/// The role of each call by its name.
class Roles {
 public:
  explicit Roles(const Report& report) : report_(report) {}
  struct Role {
    CallRole role = CallRole::kOther;
    bool asks = false;
  };
  Role of(const Node& call, NodeKind first_work) {
    const CallKind kind = report_.calls->kind[call.row];
    if (kind == CallKind::kKernelLaunch || kind == CallKind::kGraphLaunch) return {CallRole::kLaunch};
    switch (first_work) {
      case NodeKind::kKernel:
      case NodeKind::kCollective:
      case NodeKind::kGraph:  // called by a name that no interface has
        return {CallRole::kLaunch};
      case NodeKind::kCopy:
        return {CallRole::kCopy};
      case NodeKind::kSet:
        return {CallRole::kSet};
      default:
        break;
    }
    if (kind == CallKind::kDeviceSync || kind == CallKind::kStreamSync || kind == CallKind::kEventSync)
      return {CallRole::kSync};
    if (!report_.calls->name.present()) return {};
    const StringId name = report_.calls->name[call.row];
    const auto [known, added] = of_name_.try_emplace(name);
    if (added) {
      const std::string_view text = report_.string(name);
      known->second = allocates(text) ? Role{CallRole::kAllocation} : Role{CallRole::kOther, only_asks(text)};
    }
    return known->second;
  }

 private:
  const Report& report_;
  std::unordered_map<StringId, Role> of_name_;
};

}  // namespace

Program::Program(const Report& report, const replay::Graph& graph) : report_(report), graph_(graph) {
  link_work();
  add_items();
}

void Program::link_work() {
  const std::size_t nodes = graph_.nodes.size();
  std::vector<std::uint32_t> call_of(nodes, 0xFFFFFFFFU);
  first_of_call_.assign(nodes + 1, 0);
  for (std::size_t n = 0; n < nodes; ++n) {
    const Node& node = graph_.nodes[n];
    if (node.kind == NodeKind::kCall || node.kind == NodeKind::kMark) continue;
    for (const Edge& edge : graph_.edges_to(node.start)) {
      if (edge.kind != EdgeKind::kLaunch) continue;
      call_of[n] = graph_.node_of[edge.from];
      ++first_of_call_[call_of[n] + 1];
    }
  }
  for (std::size_t n = 0; n < nodes; ++n) first_of_call_[n + 1] += first_of_call_[n];
  work_.resize(first_of_call_.back());
  std::vector<std::uint32_t> next(first_of_call_.begin(), first_of_call_.end() - 1);
  for (std::size_t n = 0; n < nodes; ++n) {
    if (call_of[n] != 0xFFFFFFFFU) work_[next[call_of[n]]++] = static_cast<std::uint32_t>(n);
  }
}

void Program::add_items() {
  const auto mark = std::ranges::find(graph_.nodes, NodeKind::kMark, &Node::kind);
  CodePlaces places(report_, mark == graph_.nodes.end() ? 0 : mark->thread, names_, is_function_);
  Roles roles(report_);
  std::vector<std::vector<HostCode>> pending(report_.threads->rows);  // by thread: since its last item
  std::size_t step = 0;
  for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
    const Node& node = graph_.nodes[n];
    if (node.kind != NodeKind::kCall && node.kind != NodeKind::kMark) continue;
    std::vector<HostCode> code;
    if (node.kind == NodeKind::kCall) code.swap(pending[node.thread]);
    for (std::uint32_t e = graph_.first_edge[node.start]; e < graph_.first_edge[node.start + 1]; ++e) {
      const Edge& edge = graph_.edges[e];
      const bool host = edge.kind == EdgeKind::kThread || edge.kind == EdgeKind::kHandOver;
      if (!host || edge.lag <= 0 || graph_.nodes[graph_.node_of[edge.from]].end != edge.from) continue;
      places.each_in(node.thread, {graph_.seen[node.start] - edge.lag, graph_.seen[node.start]},
                     [&](Interval part, Place place, Place function) {
                       code.push_back({e, place, function, part.end - part.start});
                     });
    }
    HostItem item{.node = n};
    item.first_work = first_of_call_[n];
    item.work_count = first_of_call_[n + 1] - first_of_call_[n];
    while (step < graph_.iterations.size() && graph_.node_of[graph_.iterations[step].end] <= n) ++step;
    item.in_step = step < graph_.iterations.size() && graph_.node_of[graph_.iterations[step].begin] <= n;
    if (node.kind == NodeKind::kMark) {
      item.role = CallRole::kMark;
    } else {
      const Roles::Role role =
          roles.of(node, item.work_count == 0 ? NodeKind::kCall : graph_.nodes[work_[item.first_work]].kind);
      const std::int64_t start = graph_.seen[node.start];
      places.each_in(node.thread, {start, start + 1}, [&](Interval, Place place, Place function) {
        item.place = place;
        item.function = function;
      });
      if (role.asks) {
        const std::int64_t own = graph_.seen[node.end] - start;
        if (own > 0) code.push_back({graph_.first_edge[node.end], item.place, item.function, own});
        pending[node.thread] = std::move(code);
        continue;
      }
      item.role = role.role;
    }
    item.first_code = static_cast<std::uint32_t>(code_.size());
    item.code_count = static_cast<std::uint32_t>(code.size());
    code_.insert(code_.end(), code.begin(), code.end());
    items_.push_back(item);
  }
  std::ranges::stable_sort(items_, {}, [&](const HostItem& item) { return graph_.nodes[item.node].thread; });
}

Place Program::place_named(std::string_view name) const {
  auto at = std::ranges::find(names_, name);
  const auto is_function_named = [&](const std::string& text) {
    return functions::read_function_name(text).function == name;
  };
  if (at == names_.end()) at = std::ranges::find_if(names_, is_function_named);
  return static_cast<Place>(at - names_.begin());
}

std::int64_t Program::time_before(const HostItem& item, Place place) const {
  std::int64_t sum = 0;
  for (const HostCode& code : code_before(item)) sum += code.place == place ? code.time : 0;
  return sum;
}

std::int64_t Program::length_of(const HostItem& item) const {
  const Node& node = graph_.nodes[item.node];
  return graph_.seen[node.end] - graph_.seen[node.start];
}

}  // namespace assay::lever
