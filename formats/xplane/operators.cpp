#include "operators.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>

#include "resolve.hpp"

namespace assay::xplane {
namespace {

/// A path split into parts: "jit(step)", "jit(step)/jvp(layer0)" and the word "add" of "jit(step)/jvp(layer0)/add".
struct Path {
  std::vector<TextId> modules;
  TextId primitive = 0;
};

Path split(std::string_view path, TextPool& texts) {
  constexpr std::size_t kMaxModules = 64;
  Path parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t c = 0; c < path.size() && parts.modules.size() < kMaxModules; ++c) {
    depth += path[c] == '(' ? 1 : path[c] == ')' ? -1 : 0;
    if (path[c] != '/' || depth > 0) continue;
    parts.modules.push_back(texts.add(path.substr(0, c)));
    begin = c + 1;
  }
  if (!parts.modules.empty()) parts.primitive = texts.add(path.substr(begin));
  return parts;
}

/// The work of instructions, computed once for each that ran.
class Works {
 public:
  Works(const Profile& profile, Operators& to) : profile_(profile), to_(to) {
    constexpr std::int32_t kAmpere = 8;  // the first architecture with TF32
    tf32_ = std::ranges::any_of(profile.devices, [](const Device& device) {
      return device.vendor == "Nvidia" && device.compute_major >= kAmpere;
    });
  }

  /// Row of Operators::works; -1: none.
  std::int32_t row_of(const ResolvedOperator& op) {
    if (op.program == 0 || op.order == kNoInstruction) return -1;
    const auto [at, fresh] =
        rows_.try_emplace(std::uint64_t{op.program} << 32U | static_cast<std::uint32_t>(op.order), -1);
    if (!fresh) return at->second;
    std::optional<OperatorWork> work = rules_of(op.program).work_of(profile_.texts[op.name]);
    if (!work) return -1;
    at->second = static_cast<std::int32_t>(to_.works.size());
    to_.works.push_back(*std::move(work));
    return at->second;
  }

 private:
  struct ReadModule {
    ReadModule(std::string_view proto, std::size_t limit, bool tf32) : module(proto, limit), rules(module, tf32) {}
    HloModule module;
    WorkRules rules;
  };

  WorkRules& rules_of(std::uint32_t program) {
    std::unique_ptr<ReadModule>& read = modules_[program];
    if (!read) {
      read = std::make_unique<ReadModule>(profile_.programs[program - 1].proto, left_, tf32_);
      left_ -= std::min(left_, read->module.size());
    }
    return read->rules;
  }

  const Profile& profile_;
  Operators& to_;
  bool tf32_ = false;
  std::size_t left_ = 1U << 20U;  ///< instructions to read over all programs: 200 bytes each
  std::unordered_map<std::uint32_t, std::unique_ptr<ReadModule>> modules_;
  std::unordered_map<std::uint64_t, std::int32_t> rows_;
};

/// Builds the rows of one stream, kernel by kernel.
class StreamOperators {
 public:
  StreamOperators(Profile& profile, Operators& to, bool with_work)
      : profile_(profile), to_(to), works_(profile, to), with_work_(with_work) {}

  void begin_stream(std::uint32_t thread) {
    close(0);
    thread_ = thread;
    last_ = {};
  }

  /// `end`: of the kernel, at most the start of the next.
  void add(std::uint32_t w, const ResolvedOperator& of, std::int64_t end) {
    const Work& work = profile_.work[w];
    const bool same_graph = work.graph_node < 0 || work.correlation == correlation_;
    const bool goes_on = of.program == last_.program && of.order >= last_.order && same_graph;
    if (!goes_on) close(0);
    // A loop instruction that launches its kernel again starts another call.
    const bool again = work.name == first_kernel_ && work_ >= 0;
    const bool same = goes_on && !again && of.order == last_.order && of.name == last_.name && of.path == last_.path;
    if (!same) {
      work_ = with_work_ ? works_.row_of(of) : -1;
      first_kernel_ = work.name;
      open(path_of(of.path), of.name, work.start);
    }
    for (const std::size_t row : rows_) to_.rows[row].end = std::max(to_.rows[row].end, end);
    to_.of_work[w] = static_cast<std::int32_t>(rows_.back());
    last_ = of;
    correlation_ = work.correlation;
  }

 private:
  const Path& path_of(TextId path) {
    const auto [at, fresh] = paths_.try_emplace(path);
    if (fresh) at->second = split(profile_.texts[path], profile_.texts);
    return at->second;
  }

  /// Closes all open rows except the first `modules` modules.
  void close(std::size_t modules) {
    rows_.resize(std::min(rows_.size(), modules));
    modules_.resize(std::min(modules_.size(), modules));
  }

  void open(const Path& path, TextId name, std::int64_t start) {
    std::size_t shared = 0;
    while (shared < modules_.size() && shared < path.modules.size() && modules_[shared] == path.modules[shared])
      ++shared;
    close(shared);
    for (std::size_t m = shared; m < path.modules.size(); ++m) {
      push(path.modules[m], OperatorKind::kModule, start);
      modules_.push_back(path.modules[m]);
    }
    const std::size_t outermost = to_.rows.size();
    TextId primitive = path.primitive;
    // Copies added by XLA have no path: "copy" is placed around "copy.77", so equal ones share a row name.
    if (primitive == 0 && work_ >= 0) primitive = profile_.texts.keep(stem_of(profile_.texts[name]));
    // A product into which XLA folded a transposition has the path of the transposition.
    if (primitive != 0 && work_ >= 0 && to_.works[static_cast<std::size_t>(work_)].kind == "matrix product" &&
        profile_.texts[primitive].find("dot") == std::string_view::npos)
      primitive = profile_.texts.keep("dot_general (" + std::string(profile_.texts[primitive]) + ")");
    if (primitive != 0 && primitive != name) push(primitive, OperatorKind::kPrimitive, start);
    push(name, OperatorKind::kHlo, start);
    to_.rows[outermost].work = work_;
  }

  void push(TextId name, OperatorKind kind, std::int64_t start) {
    rows_.push_back(to_.rows.size());
    to_.rows.push_back({start, start, name, thread_, kind});
  }

  Profile& profile_;
  Operators& to_;
  Works works_;
  bool with_work_;
  std::uint32_t thread_ = 0;
  std::int32_t work_ = -1;   ///< of the open instruction
  TextId first_kernel_ = 0;  ///< of it
  ResolvedOperator last_;
  std::int64_t correlation_ = -1;
  std::vector<TextId> modules_;    ///< that are open
  std::vector<std::size_t> rows_;  ///< of the open modules and operators
  std::unordered_map<TextId, Path> paths_;
};

}  // namespace

Operators find_operators(Profile& profile, bool with_work) {
  Operators out;
  out.of_work.assign(profile.work.size(), -1);
  const std::vector<ResolvedOperator> resolved = resolve_operators(profile, out);

  const std::vector<std::uint32_t> order = work_in_order(
      profile,
      [&](const Work& work) {
        return work.kind == WorkKind::kKernel &&
               resolved[static_cast<std::size_t>(&work - profile.work.data())].name != 0;
      },
      [&](const Work& work) { return std::tuple(work.device, work.stream, work.start); });
  const auto stream = [&](std::uint32_t w) { return std::pair(profile.work[w].device, profile.work[w].stream); };
  constexpr std::size_t kRowsPerKernel = 3;  // including modules; more are allocated if needed
  out.rows.reserve(kRowsPerKernel * order.size());
  StreamOperators rows(profile, out, with_work);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Work& work = profile.work[order[k]];
    if (k == 0 || stream(order[k]) != stream(order[k - 1])) {
      rows.begin_stream(static_cast<std::uint32_t>(profile.threads.size() + out.threads.size()));
      out.threads.push_back(profile.texts.keep("XLA operators of GPU " + std::to_string(work.device) + ", stream " +
                                               std::to_string(work.stream)));
    }
    const bool last = k + 1 == order.size() || stream(order[k]) != stream(order[k + 1]);
    const std::int64_t end = last ? work.end : std::min(work.end, profile.work[order[k + 1]].start);
    rows.add(order[k], resolved[order[k]], std::max(end, work.start));
  }
  return out;
}

}  // namespace assay::xplane
