// Compares the bytes copied to the device with the labels they follow from, such as batch and resolution
// (configs/README.md).
#include <algorithm>
#include <set>

#include "assay/words.hpp"
#include "diagnosis.hpp"
#include "fused.hpp"
#include "shapes.hpp"
#include "words.hpp"

namespace assay::labels {
namespace {

constexpr std::string_view kBytes = "label.h2d_bytes";

/// The rule applied to one report.
class InputSize {
 public:
  InputSize(Bench& bench, const Rules& rules, std::size_t report, bool fused_rows)
      : bench_(bench), rules_(rules), report_(report), shapes_(shapes_of(bench.view(), report)) {
    if (fused_rows) fused_rows_ = fused_row_blocks(bench, report, shapes_);
  }

  void check() {
    const auto seen = bench_.fact(report_, kBytes);
    if (!seen) return no_evidence();
    const std::string unknown = unknown_label();
    if (!unknown.empty()) return show_unknown(unknown, static_cast<std::int64_t>(*seen));
    const auto expected = rules_.input_bytes->value(values());
    if (!expected) return;
    judge_bytes(*expected, static_cast<std::int64_t>(*seen));
  }

 private:
  using Blocks = std::pair<std::int64_t, const Expression*>;
  static constexpr std::size_t kMaxWrong = 2;  // more labels explain almost any number

  /// Stated values, with some labels changed.
  [[nodiscard]] Expression::Values values(const LabelValues& changed = {}) const {
    return [this, changed](std::string_view label) {
      const auto other = changed.find(std::string(label));
      return other != changed.end() ? std::optional(other->second) : bench_.whole(report_, label);
    };
  }

  /// A grid of the trace that follows from a rule about rows, if any.
  [[nodiscard]] std::optional<Blocks> grid(const Expression::Values& values) const {
    for (const Expression& rows : rules_.grid_rows) {
      const auto blocks = rows.value(values);
      if (blocks && shapes_.shows_rows(*blocks)) return Blocks(*blocks, &rows);
    }
    return std::nullopt;
  }

  void no_evidence() {
    for (const std::string& label : rules_.input_bytes->names()) {
      if (bench_.has_default(report_, *bench_.view().label(label))) continue;
      bench_.decide(report_, label,
                    judged(LabelVerdict::kUnverifiable, "no copy to the device in every iteration shows its size"));
    }
  }

  /// The only label of the rule without a value, or empty.
  [[nodiscard]] std::string unknown_label() const {
    std::string unknown;
    for (const std::string& label : rules_.input_bytes->names()) {
      if (bench_.whole(report_, label)) continue;
      if (!unknown.empty()) return {};
      unknown = label;
    }
    return unknown;
  }

  /// The bytes determine the unknown label only if the other labels are right, which a grid may confirm.
  void show_unknown(const std::string& unknown, std::int64_t seen) {
    const auto value = solve(*rules_.input_bytes, unknown, seen, values());
    if (value) bench_.show(report_, unknown, static_cast<double>(*value));
    const auto blocks = value ? grid(values({{unknown, *value}})) : std::nullopt;
    for (const std::string& label : rules_.input_bytes->names()) {
      if (blocks) {
        bear_out(label, filled("{} bytes copied to the device and a grid of {} blocks fit it with {} {}",
                               {with_commas(seen), with_commas(blocks->first), unknown, with_commas(*value)}));
      } else {
        bench_.decide(report_, label,
                      judged(LabelVerdict::kUnverifiable, "the bytes copied tell it only together with " + unknown +
                                                              ", which the name does not state"));
      }
    }
    if (blocks) bear_out_by_grid(*blocks);
  }

  /// "batch 4 and px 256".
  [[nodiscard]] std::string stated() const {
    std::vector<std::string> texts;
    for (const std::string& label : rules_.input_bytes->names()) {
      if (const auto value = bench_.whole(report_, label)) texts.push_back(label + " " + with_commas(*value));
    }
    return listed(texts);
  }

  [[nodiscard]] Constraint bytes_constraint(std::int64_t seen) const {
    Constraint bytes{{&*rules_.input_bytes}, {{seen, seen}}};
    // One of several copies in an iteration may be the input.
    const auto one = bench_.fact(report_, "label.h2d_copy_bytes");
    if (one && *one != static_cast<double>(seen)) {
      const auto size = static_cast<std::int64_t>(*one);
      bytes.numbers.emplace_back(size, size);
    }
    return bytes;
  }

  /// The constraint on the number of rows, if the trace shows it.
  [[nodiscard]] std::optional<Constraint> rows_constraint() const {
    Constraint constraint;
    for (const Expression& rule : rules_.grid_rows) constraint.rules.push_back(&rule);
    if (const auto rows = shapes_.only_rows()) {
      constraint.numbers.emplace_back(*rows, *rows);
    } else if (fused_rows_) {
      constraint.numbers = rows_of_blocks(*fused_rows_);
    }
    return constraint.rules.empty() || constraint.numbers.empty() ? std::nullopt : std::optional(constraint);
  }

  /// Values of every label of the rules that the report has.
  [[nodiscard]] LabelValues stated_values() const {
    LabelValues out;
    const auto add = [&](const Expression& rule) {
      for (const std::string& name : rule.names()) {
        if (const auto value = bench_.whole(report_, name)) out.emplace(name, *value);
      }
    };
    add(*rules_.input_bytes);
    for (const Expression& rule : rules_.grid_rows) add(rule);
    return out;
  }

  /// The fewest labels that explain bytes and rows are wrong. If nothing explains the rows, they belong to another
  /// program than the rule, and only the bytes count.
  void judge_bytes(std::int64_t expected, std::int64_t seen) {
    std::vector<Constraint> constraints = {bytes_constraint(seen)};
    const LabelValues stated_here = stated_values();
    const bool fit = constraints.front().holds(stated_here);
    what_ = fit ? with_commas(expected) + " bytes copied to the device fit " + stated()
                : filled("{} bytes copied to the device in an iteration, not the {} of {}",
                         {with_commas(seen), with_commas(expected), stated()});
    if (auto rows = rows_constraint()) {
      if (!rows->holds(stated_here)) what_ += rows_text(fit);
      constraints.push_back(*std::move(rows));
    }
    auto found = smallest_explanations(constraints, stated_here, kMaxWrong);
    rows_known_ = constraints.size() > 1;
    if (!found && rows_known_) {
      constraints.pop_back();
      rows_known_ = false;
      rows_unexplained_ = true;
      found = smallest_explanations(constraints, stated_here, kMaxWrong);
    }
    if (!found) return accuse_all();
    if (found->empty()) return judge_fitting();
    narrow(*found);
    accuse(*found);
  }

  [[nodiscard]] std::string rows_text(bool bytes_fit) const {
    const auto rows = shapes_.only_rows();
    return (bytes_fit ? ", but " : ", and ") +
           (rows ? "kernels with one block per row run " + with_commas(*rows) + " blocks"
                 : "compiled kernels over rows run " + with_commas(*fused_rows_) + " blocks");
  }

  /// Everything fits. The rows confirm the factors of the product.
  void judge_fitting() {
    const auto blocks = grid(values());
    if (!blocks) return leave_open(what_ + "; only the product is known");
    const std::string reason = filled("{}, and so does a grid of {} blocks", {what_, with_commas(blocks->first)});
    for (const std::string& label : rules_.input_bytes->names()) bear_out(label, reason);
    bear_out_by_grid(*blocks);
  }

  void leave_open(const std::string& reason) {
    for (const std::string& label : rules_.input_bytes->names()) {
      bench_.decide(report_, label, judged(LabelVerdict::kUnverifiable, reason));
    }
  }

  static std::string text_of(const LabelValues& explanation) {
    std::vector<std::string> texts;
    for (const auto& [label, value] : explanation) texts.push_back(label + " " + with_commas(value));
    return listed(texts);
  }

  void bear_out(const std::string& label, const std::string& reason) {
    bench_.decide(report_, label, judged(LabelVerdict::kBorneOut, reason, kBytes, bench_.number(report_, label)));
  }

  /// Labels of the rule about kernels that are not in the rule about bytes.
  void bear_out_by_grid(const Blocks& blocks) {
    for (const std::string& label : blocks.second->names()) {
      bench_.decide(report_, label,
                    judged(LabelVerdict::kBorneOut,
                           filled("a kernel runs {} blocks = {}", {with_commas(blocks.first), blocks.second->text()}),
                           {}, bench_.number(report_, label)));
    }
  }

  [[nodiscard]] bool in_grids(const Explanation& explanation) const {
    return std::ranges::any_of(explanation.values,
                               [&](const LabelValues& changed) { return grid(values(changed)).has_value(); });
  }

  /// Keeps the explanations that agree with the grids of any kernel, if that distinguishes them.
  void narrow(std::vector<Explanation>& all) const {
    const auto shown = [&](const Explanation& e) { return in_grids(e); };
    if (!rows_known_ && std::ranges::any_of(all, shown))
      std::erase_if(all, [&](const Explanation& e) { return !shown(e); });
  }

  /// One of the explanations is right: labels changed by all of them are wrong, those changed by some may be.
  void accuse(const std::vector<Explanation>& all) {
    std::set<std::string> some, in_all = all.front().labels;
    for (const Explanation& e : all) {
      some.insert(e.labels.begin(), e.labels.end());
      std::erase_if(in_all, [&](const std::string& label) { return !e.labels.contains(label); });
    }
    const std::string fit = what_ + fitting(all);
    // Rows that fit only up to a power of two may fit by chance.
    const bool by_chance =
        fused_rows_ && rows_known_ && std::ranges::none_of(all, [&](const Explanation& e) { return in_grids(e); });
    if (by_chance) {
      for (const auto& [label, value] : stated_values())
        bench_.dispute(report_, *bench_.view().label(label), fit + ", unless the rows match by chance");
      return;
    }
    for (const std::string& label : some) {
      const auto index = bench_.view().label(label);
      if (in_all.contains(label)) {
        bench_.decide(report_, label, judged(LabelVerdict::kContradicted, fit, kBytes, value_of(label, all)));
      } else if (index) {
        bench_.dispute(report_, *index, fit + ", and the trace does not show which");
      }
    }
    const auto blocks = all.size() == 1 ? grid(values(all.front().values.front())) : std::nullopt;
    if (!blocks)
      return leave_open(what_ + "; the trace shows it only together with " + listed({some.begin(), some.end()}));
    for (const std::string& label : rules_.input_bytes->names()) {
      bear_out(label, filled("{}, and so does a grid of {} blocks", {fit, with_commas(blocks->first)}));
    }
    bear_out_by_grid(*blocks);
  }

  /// "; they fit px 256 or batch 1".
  [[nodiscard]] std::string fitting(const std::vector<Explanation>& all) const {
    std::string out;
    for (const Explanation& e : all) {
      LabelValues chosen;
      for (const std::string& label : e.labels) {
        if (const auto value = value_of(label, {e})) chosen[label] = static_cast<std::int64_t>(*value);
      }
      const bool known = chosen.size() == e.labels.size();
      out += (out.empty() ? "; they fit " : " or ") +
             (known ? text_of(chosen) : "other values of " + listed({e.labels.begin(), e.labels.end()}));
    }
    return out;
  }

  /// The value of a label that all explanations agree on: the only one; else the only one that a report states; else
  /// the largest of those that round equally, which divides without remainder. Empty if the trace shows rows that no
  /// value explains.
  [[nodiscard]] std::optional<double> value_of(const std::string& label, const std::vector<Explanation>& all) const {
    std::set<std::int64_t> possible, named;
    for (const Explanation& e : all) {
      for (const LabelValues& values : e.values) possible.insert(values.at(label));
      if (e.values.size() >= kMaxSolutions) return std::nullopt;
    }
    for (std::size_t r = 0; r < bench_.reports(); ++r) {
      const auto value = bench_.whole(r, label);
      if (value && possible.contains(*value)) named.insert(*value);
    }
    if (rows_unexplained_ || possible.empty()) return std::nullopt;
    if (possible.size() == 1) return static_cast<double>(*possible.begin());
    if (named.size() == 1) return static_cast<double>(*named.begin());
    const bool rounded = all.size() == 1 && only_one_differs(label, all.front());
    return rounded && named.empty() ? std::optional(static_cast<double>(*possible.rbegin())) : std::nullopt;
  }

  /// Whether the explanation leaves only this label open.
  static bool only_one_differs(const std::string& label, const Explanation& explanation) {
    const LabelValues& first = explanation.values.front();
    return std::ranges::all_of(explanation.values, [&](const LabelValues& values) {
      return std::ranges::all_of(
          values, [&](const auto& value) { return value.first == label || value.second == first.at(value.first); });
    });
  }

  void accuse_all() {
    for (const std::string& label : rules_.input_bytes->names()) {
      bench_.decide(report_, label,
                    judged(LabelVerdict::kContradicted, what_ + ", and no other values of its labels fit", kBytes));
    }
  }

  Bench& bench_;
  const Rules& rules_;
  std::size_t report_;
  Shapes shapes_;
  std::optional<std::int64_t> fused_rows_;
  std::string what_;  ///< the number in the trace and the expected one
  bool rows_known_ = false, rows_unexplained_ = false;
};

}  // namespace

void check_input_size(Bench& bench, const Rules& rules) {
  if (!rules.input_bytes) return;
  const bool fused_rows = fused_rows_follow(bench, rules);
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    if (!bench.view().is_noise(r)) InputSize(bench, rules, r, fused_rows).check();
  }
}

}  // namespace assay::labels
