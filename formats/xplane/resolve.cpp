#include "resolve.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <tuple>

namespace assay::xplane {
namespace {

/// Number in "jit_step(9955)"; -1: none.
std::int64_t number_behind(std::string_view name) {
  std::int64_t number = -1;
  const std::size_t open = name.rfind('(');
  if (open != std::string_view::npos) std::from_chars(name.data() + open + 1, name.data() + name.size(), number);
  return number;
}

/// The programs of a profile, parsed when work of them occurs. 0: unknown.
class Programs {
 public:
  explicit Programs(const Profile& profile) : read_(profile.programs.size() + 1) {
    for (std::size_t p = 0; p < profile.programs.size(); ++p) {
      const Program& program = profile.programs[p];
      const std::int64_t number = number_behind(program.name);
      protos_.push_back(program.proto);
      by_number_.try_emplace(number >= 0 ? number : program.id, static_cast<std::uint32_t>(p + 1));
    }
  }
  [[nodiscard]] std::uint32_t number(std::int64_t id) const {
    const auto at = by_number_.find(id);
    return at == by_number_.end() ? 0 : at->second;
  }
  const HloProgram& operator[](std::uint32_t number) {
    auto& program = read_[number];
    if (!program)
      program = std::make_unique<HloProgram>(number == 0 ? HloProgram{} : read_program(protos_[number - 1]));
    return *program;
  }

 private:
  std::vector<std::string_view> protos_;
  std::vector<std::unique_ptr<HloProgram>> read_;
  std::unordered_map<std::int64_t, std::uint32_t> by_number_;
};

class Resolver {
 public:
  Resolver(Profile& profile, Operators& counts)
      : profile_(profile), counts_(counts), programs_(profile), out_(profile.work.size()) {}

  std::vector<ResolvedOperator> resolve() {
    const std::vector<std::uint32_t> order = work_in_order(
        profile_, [&](const Work& work) { return work.hlo_op != 0; },
        [](const Work& work) { return std::pair(work.device, work.start); });
    for (const std::uint32_t w : order) {
      const Work& work = profile_.work[w];
      out_[w].program = programs_.number(work.program);
      out_[w].order = instruction_named(out_[w].program, work.hlo_op);
      if (is_graph(w)) graph_with(w).push_back(w);
    }
    std::vector<bool> done(out_.size());
    for (const std::uint32_t w : order) {
      if (done[w]) continue;
      if (!is_graph(w)) {
        resolve_named(w);
        continue;
      }
      const std::vector<std::uint32_t>& rows = graph_with(w);
      for (const std::vector<std::uint32_t>& run : runs_of(rows)) resolve_graph(run);
      for (const std::uint32_t row : rows) done[row] = true;
    }
    return std::move(out_);
  }

 private:
  using Graph = std::tuple<std::int32_t, std::int64_t, TextId>;

  /// Work of the same graph launch. Its kernels are usually consecutive.
  std::vector<std::uint32_t>& graph_with(std::uint32_t w) {
    const Work& work = profile_.work[w];
    const Graph graph{work.device, work.correlation, work.hlo_op};
    if (last_rows_ == nullptr || graph != last_graph_) {
      last_graph_ = graph;
      last_rows_ = &graphs_[graph];
    }
    return *last_rows_;
  }

  /// A launch runs each node once. Work with a node twice is from several launches: of merged files with equal ids.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> runs_of(const std::vector<std::uint32_t>& rows) const {
    std::vector<std::int64_t> nodes;
    for (const std::uint32_t w : rows) nodes.push_back(profile_.work[w].graph_node);
    std::ranges::sort(nodes);
    if (std::ranges::adjacent_find(nodes) == nodes.end()) return {rows};
    std::vector<std::vector<std::uint32_t>> runs;
    std::unordered_map<std::int64_t, std::size_t> times;
    for (const std::uint32_t w : rows) {
      const std::size_t run = times[profile_.work[w].graph_node]++;
      if (run == runs.size()) runs.emplace_back();
      runs[run].push_back(w);
    }
    return runs;
  }

  /// Whether the work is part of a graph of instructions, which has no instruction of its own.
  [[nodiscard]] bool is_graph(std::uint32_t w) const {
    return out_[w].program != 0 && out_[w].order == kNoInstruction && profile_.work[w].graph_node >= 0;
  }

  std::int32_t instruction_named(std::uint32_t program, TextId name) {
    const std::uint64_t key = std::uint64_t{program} << 32U | name;
    if (key == last_key_) return last_named_;
    last_key_ = key;
    return last_named_ = look_up(key, program, name);
  }

  std::int32_t look_up(std::uint64_t key, std::uint32_t program, TextId name) {
    const auto [at, fresh] = named_.try_emplace(key, kNoInstruction);
    if (fresh) {
      const HloProgram& of = programs_[program];
      const auto found = of.by_name.find(profile_.texts[name]);
      if (found != of.by_name.end()) at->second = static_cast<std::int32_t>(found->second);
    }
    return at->second;
  }

  void resolve_named(std::uint32_t w) {
    ResolvedOperator& to = out_[w];
    to.name = profile_.work[w].hlo_op;
    to.path = profile_.work[w].path;
    if (to.order == kNoInstruction) return;
    if (const std::string_view path = programs_[to.program].instructions[at(to.order)].path; !path.empty())
      to.path = profile_.texts.add(path);
    next_[{profile_.work[w].device, to.program}] = at(to.order) + 1;
  }

  void resolve_graph(const std::vector<std::uint32_t>& rows) {
    const std::uint32_t number = out_[rows.front()].program;
    const HloProgram& program = programs_[number];
    std::size_t& next = next_[{profile_.work[rows.front()].device, number}];
    if (next >= program.entry) next = 0;  // the program ended, or an instruction of a loop ran last
    const Alignment* alignment = &aligned(rows, number, next);
    if (next > 0 && alignment->misfits() > 0) {  // possibly a new run of the program from its beginning
      const Alignment& anew = aligned(rows, number, 0);
      if (anew.misfits() < alignment->misfits()) alignment = &anew;
    }
    next = alignment->last == kNoInstruction ? next : at(alignment->last) + 1;
    counts_.uncertain += alignment->uncertain;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      ResolvedOperator& to = out_[rows[n]];
      to.order = alignment->instructions[n];
      to.name = profile_.work[rows[n]].hlo_op;
      const bool kernel = profile_.work[rows[n]].kind == WorkKind::kKernel;
      (to.order == kNoInstruction ? counts_.unknown : counts_.by_order) += kernel ? 1 : 0;
      if (to.order == kNoInstruction) continue;
      const HloInstruction& of = program.instructions[at(to.order)];
      to.name = profile_.texts.add(of.name);
      to.path = profile_.texts.add(of.path);
    }
  }

  /// Graphs that ran the same kernels are aligned once.
  const Alignment& aligned(const std::vector<std::uint32_t>& rows, std::uint32_t program, std::size_t first) {
    std::vector<std::uint32_t> key{program, static_cast<std::uint32_t>(first)};
    for (const std::uint32_t w : rows) key.push_back(profile_.work[w].name);
    const auto [known, fresh] = alignments_.try_emplace(std::move(key));
    if (fresh) {
      std::vector<std::string_view> names;
      for (const std::uint32_t w : rows) names.push_back(profile_.texts[profile_.work[w].name]);
      known->second = align(names, programs_[program], first);
    }
    return known->second;
  }

  static std::size_t at(std::int32_t row) { return static_cast<std::size_t>(row); }

  Profile& profile_;
  Operators& counts_;
  Programs programs_;
  std::vector<ResolvedOperator> out_;
  std::map<Graph, std::vector<std::uint32_t>> graphs_;
  Graph last_graph_{};
  std::vector<std::uint32_t>* last_rows_ = nullptr;
  std::map<std::pair<std::int32_t, std::uint32_t>, std::size_t> next_;  ///< instruction, by device and program
  std::map<std::vector<std::uint32_t>, Alignment> alignments_;
  std::unordered_map<std::uint64_t, std::int32_t> named_;
  std::uint64_t last_key_ = ~std::uint64_t{0};
  std::int32_t last_named_ = kNoInstruction;
};

}  // namespace

std::vector<ResolvedOperator> resolve_operators(Profile& profile, Operators& counts) {
  return Resolver(profile, counts).resolve();
}

}  // namespace assay::xplane
