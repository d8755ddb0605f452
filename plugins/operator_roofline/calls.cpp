#include "calls.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

#include "algo/short_name.hpp"
#include "assay/algo/intervals.hpp"
#include "assay/algo/op_tree.hpp"
#include "assay/words.hpp"
#include "model_lines.hpp"

namespace assay::roofline {
namespace {

bool is_operator(const OpTable& ops, std::size_t row) { return ops.kind[row] == OpKind::kOperator; }

/// By row of ops: the first kernel launched below it; kNone: none.
std::vector<Row> first_kernels(const Report& report) {
  const OpTable& ops = *report.ops;
  const KernelTable& kernels = *report.kernels;
  std::vector<Row> first(static_cast<std::size_t>(ops.rows), kNone);
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    if (kernels.membership[k] != Membership::kInside) continue;
    for (Row r = kernels.op[k]; r >= 0 && first[static_cast<std::size_t>(r)] < 0;
         r = ops.parent[static_cast<std::size_t>(r)])
      first[static_cast<std::size_t>(r)] = static_cast<Row>(k);
  }
  return first;
}

/// What the operators below a row are part of.
enum class Pass : std::uint8_t { kOther, kBackward, kRecomputed };

/// Recomputed is: what the backward of a reentrant checkpoint runs, except the backward within; forward operators in
/// the backward of an operator of PyTorch ("AddmmBackward0"), which runs none unless a checkpoint that is not reentrant
/// fills its saved tensors; in JAX the recomputed part of jax.checkpoint.
Pass pass_of(std::string_view name, Pass around) {
  for (const std::string_view begins : {"CheckpointFunctionBackward", "rematted_computation"})
    if (name.find(begins) != std::string_view::npos) return Pass::kRecomputed;
  if (name.starts_with("autograd::engine::evaluate_function")) return Pass::kOther;
  if (around == Pass::kRecomputed) return around;
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end != std::string_view::npos && end + 1 < name.size() && name.substr(0, end + 1).ends_with("Backward"))
    return Pass::kBackward;
  constexpr std::string_view kForward[] = {"aten::linear", "aten::addmm", "aten::matmul", "aten::convolution",
                                           "aten::scaled_dot_product_attention"};
  return around == Pass::kBackward && std::ranges::find(kForward, name) != std::end(kForward) ? Pass::kRecomputed
                                                                                              : around;
}

/// Assigns kernels to operators and groups operators by their properties.
class Collector {
 public:
  Collector(const Report& report, const FormulaBook& book)
      : report_(report),
        ops_(*report.ops),
        kernels_(*report.kernels),
        book_(book),
        counted_(counted_by_group(report)),
        places_(places_of(report)) {}

  OperatorCalls collect() {
    own();
    add_kernels();
    finish();
    return std::move(out_);
  }

 private:
  /// Key of a row: name, dims, types, strides, scalars, and a suffix from the first kernel's name; for attention over
  /// caches also the range whose name has the context lengths, and the kernel, since layers with a sliding window have
  /// the same shapes and another kernel.
  using Key = std::array<std::uint32_t, 8>;

  using StatedKey = std::tuple<StringId, StringId, StringId, StringId, StringId, std::uint64_t, std::uint64_t>;

  [[nodiscard]] std::string_view text(const Column<StringId>& column, std::size_t row) const {
    return column.present() ? report_.string(column[row]) : std::string_view();
  }
  [[nodiscard]] static StringId id(const Column<StringId>& column, std::size_t row) {
    return column.present() ? column[row] : 0;
  }

  /// Whether the profile states the work of an operator and no user formula takes precedence.
  [[nodiscard]] bool is_stated(std::size_t op) const {
    if (!ops_.flops.present() || !(ops_.least_bytes[op] > 0)) return false;
    const auto formula = book_.find(report_.string(ops_.name[op]));
    return !formula || formula->own == nullptr;
  }

  /// The row of a modelled operator; kNone if it has no model.
  Row modelled_row(std::size_t op, Row first_kernel) {
    if (is_stated(op)) return stated_row(op);
    const std::string_view kernel = report_.string(kernels_.name[first_kernel]);
    const Element element = element_in_kernel(kernel);
    const bool tf32 = runs_tf32(kernel);
    Key key = {ops_.name[op],
               id(ops_.input_dims, op),
               id(ops_.input_types, op),
               id(ops_.input_strides, op),
               id(ops_.concrete_inputs, op),
               static_cast<std::uint32_t>(element) << 1 | (tf32 ? 1U : 0U),
               step_name(op, first_kernel),
               0};
    const StringId step = key[6];
    if (step != 0) key.back() = kernels_.name[first_kernel];
    const auto [at, is_new] = known_.try_emplace(key, kNone);
    if (is_new)
      at->second =
          make_row(op, element, tf32, attended_tokens(report_.string(step)), step == 0 ? "" : bare_kernel(kernel));
    return at->second;
  }

  Row stated_row(std::size_t op) {
    const StatedKey key = {ops_.name[op],
                           id(ops_.input_dims, op),
                           id(ops_.input_types, op),
                           ops_.work_kind[op],
                           ops_.arithmetic[op],
                           std::bit_cast<std::uint64_t>(ops_.flops[op]),
                           std::bit_cast<std::uint64_t>(ops_.least_bytes[op])};
    const auto [at, is_new] = stated_.try_emplace(key, kNone);
    if (!is_new) return at->second;
    const double flops = ops_.flops[op];
    constexpr double kMax = 1e30;  // as for formulas: more than any device has
    if (flops < 0 || flops > kMax || ops_.least_bytes[op] > kMax) return kNone;
    const std::string_view arithmetic = text(ops_.arithmetic, op), kind = text(ops_.work_kind, op);
    const auto operands = read_operands(text(ops_.input_dims, op), text(ops_.input_types, op), "", "");
    OperatorRow row;
    row.name = report_.string(ops_.name[op]);
    row.shapes = operands ? shapes_text(*operands) : "";
    row.kind = kind.empty() ? "stated work" : kind;
    row.work.flops_known = !std::isnan(flops);
    row.work.flops = row.work.computed = row.work.flops_known ? flops : 0;
    row.work.bytes = ops_.least_bytes[op];
    row.work.matrix = !arithmetic.empty();
    row.work.math = arithmetic == "tf32" ? Element::kFloat32 : element_named(arithmetic);
    row.rate = rate_of(row.work.math, row.work.matrix, arithmetic == "tf32");
    return at->second = merged(std::move(row));
  }

  /// "kernel_unified_attention_3d" from the full name of a kernel.
  static std::string bare_kernel(std::string_view name) {
    name = name.substr(0, name.find_first_of("<("));
    return short_name(name.substr(name.rfind(' ') + 1));
  }

  /// Name of the step that launches an attention over caches, which contains its token counts; 0: another operator, or
  /// no such name.
  StringId step_name(std::size_t op, Row kernel) {
    const RangeTable* ranges = report_.ranges;
    const Row call = kernels_.call.present() ? kernels_.call[kernel] : kNone;
    if (ranges == nullptr || call < 0 || !report_.calls->range.present()) return 0;
    if (report_.string(ops_.name[op]).find("attention") == std::string_view::npos) return 0;
    Row range = report_.calls->range[call];
    while (range >= 0 && !attended_tokens(report_.string(ranges->name[range])))
      range = ranges->parent.present() ? ranges->parent[range] : kNone;
    return range < 0 ? 0 : ranges->name[range];
  }

  Row make_row(std::size_t op, Element element, bool tf32, const std::optional<AttendedTokens>& attended,
               const std::string& kernel) {
    const std::string_view name = report_.string(ops_.name[op]);
    const auto formula = book_.find(name);
    if (!formula || text(ops_.input_dims, op).empty()) return kNone;
    auto operands = read_operands(text(ops_.input_dims, op), text(ops_.input_types, op), text(ops_.input_strides, op),
                                  text(ops_.concrete_inputs, op));
    if (!operands) return kNone;
    for (Operand& operand : *operands) {
      for (Tensor& tensor : operand.tensors)
        if (operand.kind == Operand::Kind::kList && tensor.type == Element::kUnknown) tensor.type = element;
    }
    const auto work = formula->work({name, *operands, attended});
    if (!work) return kNone;
    OperatorRow row;
    row.name = name;
    row.shapes = shapes_text(*operands) + (kernel.empty() ? "" : ", " + kernel);
    row.kind = formula->kind;
    row.work = *work;
    row.rate = rate_of(work->math, work->matrix, tf32);
    return merged(std::move(row));
  }

  /// Calls that differ only in strides or scalars share a row if they have the same work; otherwise their names include
  /// it.
  Row merged(OperatorRow row) {
    std::vector<Row>& alike = alike_[{row.name, row.shapes}];
    for (const Row at : alike) {
      const OperatorRow& other = out_.rows[static_cast<std::size_t>(at)];
      const bool same = other.work.computed == row.work.computed && other.work.bytes == row.work.bytes;
      if (same && other.rate == row.rate) return at;
    }
    if (!alike.empty())
      row.shapes += printed(", %.4g GFLOP, %.4g MB", row.work.computed / 1e9, row.work.bytes / 1e6) +
                    (row.work.matrix ? " " + std::string(rate_name(row.rate)) : "");
    return alike.emplace_back(add_row(std::move(row)));
  }

  Row add_row(OperatorRow row) {
    out_.rows.push_back(std::move(row));
    return static_cast<Row>(out_.rows.size() - 1);
  }

  /// The row of the unmodelled work of an operator; kNone: no operator.
  Row unmodelled_row(Row op) {
    const StringId name = op < 0 ? 0 : ops_.name[static_cast<std::size_t>(op)];
    const auto [at, is_new] = unmodelled_.try_emplace({name, op < 0}, kNone);
    if (!is_new) return at->second;
    OperatorRow row;
    row.name = op < 0 ? "(no operator)" : report_.string(name);
    const auto place = places_.find(row.name);
    if (place != places_.end()) row.name += " (" + place->second + ")";
    row.why = op < 0                                                        ? MissingModel::kNoOperator
              : !book_.find(row.name)                                       ? MissingModel::kNoFormula
              : text(ops_.input_dims, static_cast<std::size_t>(op)).empty() ? MissingModel::kNoShapes
                                                                            : MissingModel::kOperands;
    return at->second = add_row(std::move(row));
  }

  void own() {
    const std::vector<Row> first = first_kernels(report_);
    owner_.assign(first.size(), kNone);
    operator_.assign(first.size(), kNone);
    module_.assign(first.size(), kNone);
    std::vector<Pass> pass(first.size(), Pass::kOther);
    const bool modules = ops_.python_module.present();
    for (const std::size_t r : outside_in(ops_)) {
      if (first[r] < 0) continue;
      const Row parent = ops_.parent[r];
      const auto p = static_cast<std::size_t>(parent);
      const std::string_view name = report_.string(ops_.name[r]);
      pass[r] = pass_of(name, parent >= 0 ? pass[p] : Pass::kOther);
      const bool module = modules && ops_.kind[r] == OpKind::kPythonFunction && ops_.python_module[r] != kNone;
      module_[r] = module ? static_cast<Row>(r) : parent >= 0 ? module_[p] : kNone;
      operator_[r] = is_operator(ops_, r) ? static_cast<Row>(r) : parent >= 0 ? operator_[p] : kNone;
      owner_[r] = parent >= 0 ? owner_[p] : kNone;
      if (owner_[r] >= 0 || !is_operator(ops_, r)) continue;
      const Row row = modelled_row(r, first[r]);
      if (row == kNone) continue;
      owner_[r] = static_cast<Row>(r);
      OperatorInstance& instance = out_.instances[add_instance(static_cast<Row>(r), row, pass[r] == Pass::kRecomputed)];
      // Stated operators have the times of their kernels; the launch determines their step.
      const Row call = report_.calls == nullptr ? kNone : kernels_.call[first[r]];
      if (is_stated(r) && call != kNone) instance.host_start = report_.calls->start[call];
    }
  }

  std::size_t add_instance(Row op, Row row, bool recomputed) {
    OperatorInstance instance;
    instance.row = static_cast<std::size_t>(row);
    instance.op = op;
    instance.recomputed = recomputed;
    if (op >= 0) {
      instance.host_start = ops_.start[op];
      instance.module = module_[static_cast<std::size_t>(op)];
    }
    of_op_[op] = out_.instances.size();
    out_.instances.push_back(instance);
    time_.emplace_back();
    counts_.emplace_back();
    return out_.instances.size() - 1;
  }

  void add_kernels() {
    for (std::size_t k = 0; k < kernels_.rows; ++k) {
      if (kernels_.membership[k] != Membership::kInside) continue;
      if (!any_) {
        device_ = kernels_.device[k];
        any_ = true;
      }
      const Row op = kernels_.op[k];
      const Row owner = op < 0 ? kNone : owner_[static_cast<std::size_t>(op)];
      const Row innermost = op < 0 ? kNone : operator_[static_cast<std::size_t>(op)];
      const Row by = owner >= 0 ? owner : innermost;
      const auto at = of_op_.find(by);
      const std::size_t i = at == of_op_.end() ? add_instance(by, unmodelled_row(by), false) : at->second;
      time_[i].add(kernels_.start[k], kernels_.end[k]);
      count(counts_[i], k);
    }
  }

  struct Count {
    LaunchCounters sum = nothing_counted();
    bool all = true;
  };
  /// The neutral element for sums.
  static LaunchCounters nothing_counted() {
    LaunchCounters none;
    none.has_flops = none.has_bytes = none.has_l2 = true;
    return none;
  }

  void count(Count& of, std::size_t kernel) {
    const Row group = kernels_.profiled.present() ? kernels_.profiled[kernel] : kNone;
    const auto at = group < 0 ? counted_.end() : counted_.find(group);
    if (at == counted_.end()) {
      of.all = false;
      return;
    }
    of.sum += at->second;
  }

  void finish() {
    for (std::size_t i = 0; i < out_.instances.size(); ++i) {
      OperatorInstance& instance = out_.instances[i];
      OperatorRow& row = out_.rows[instance.row];
      instance.time = static_cast<double>(time_[i].total());
      row.time += instance.time;
      out_.time += instance.time;
      if (!row.modelled()) out_.unmodelled += instance.time;
      if (counts_[i].all && row.modelled()) {
        if (row.counted_calls++ == 0) row.counted = nothing_counted();
        row.counted += counts_[i].sum;
      }
      ++row.calls;
    }
  }

  const Report& report_;
  const OpTable& ops_;
  const KernelTable& kernels_;
  const FormulaBook& book_;
  std::map<Row, LaunchCounters> counted_;
  std::map<std::string, std::string> places_;  ///< of generated kernels
  std::map<Key, Row> known_;
  std::map<StatedKey, Row> stated_;
  std::map<std::pair<std::string, std::string>, std::vector<Row>> alike_;  ///< rows by name and shapes
  std::map<std::pair<StringId, bool>, Row> unmodelled_;
  std::vector<Row> owner_, operator_, module_;  ///< by row of ops
  std::map<Row, std::size_t> of_op_;            ///< instances
  std::vector<UnionMeasure> time_;
  std::vector<Count> counts_;
  bool any_ = false;
  OperatorCalls out_;

 public:
  std::int32_t device_ = kNone;
};

/// Sorts rows by time; renumbers the rows in instances.
void sort_rows(OperatorCalls& calls) {
  std::vector<std::size_t> order(calls.rows.size()), place(calls.rows.size());
  for (std::size_t r = 0; r < order.size(); ++r) order[r] = r;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const OperatorRow &x = calls.rows[a], &y = calls.rows[b];
    return std::tie(y.time, x.name, x.shapes, a) < std::tie(x.time, y.name, y.shapes, b);
  });
  std::vector<OperatorRow> sorted;
  for (std::size_t r = 0; r < order.size(); ++r) {
    place[order[r]] = r;
    sorted.push_back(std::move(calls.rows[order[r]]));
  }
  calls.rows = std::move(sorted);
  for (OperatorInstance& instance : calls.instances) instance.row = place[instance.row];
}

}  // namespace

std::string_view why_text(MissingModel why) {
  constexpr std::string_view kTexts[] = {"", "no operator launched it", "its shapes were not recorded", "no formula",
                                         "its recorded operands are not enough"};
  return kTexts[static_cast<std::size_t>(why)];
}

double OperatorCalls::matrix_time() const {
  double sum = 0;
  for (const OperatorRow& row : rows) sum += row.modelled() && row.work.matrix ? row.time : 0;
  return sum;
}

OperatorCalls operator_calls(const Report& report, const FormulaBook& book, std::string_view device,
                             std::span<const std::string> measured) {
  Collector collector(report, book);
  OperatorCalls calls = collector.collect();
  std::size_t at = 0;
  while (at < report.devices->rows && report.devices->id[at] != collector.device_) ++at;
  calls.peaks = peaks_of(*report.devices, at, device);
  for (const std::string& roof : measured) set_measured_peaks(calls.peaks, roof);
  for (OperatorRow& row : calls.rows) {
    if (row.modelled()) row.roof = roof_of(calls.peaks, row.rate, row.work.computed, row.work.bytes);
  }
  sort_rows(calls);
  return calls;
}

}  // namespace assay::roofline
