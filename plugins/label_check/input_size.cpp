// The bytes copied to the device against the labels that they follow from, such as batch and resolution
// (research_questions.md).
#include <algorithm>
#include <set>

#include "assay/words.hpp"
#include "shapes.hpp"
#include "words.hpp"

namespace assay::labels {
namespace {

constexpr std::string_view kBytes = "label.h2d_bytes";

/// One label has another value than stated, and everything fits.
struct Explanation {
  std::string label;
  std::int64_t value = 0;
  bool by_default = false;  ///< the name does not state the label
  bool in_grids = false;    ///< kernels of the trace have grids that follow from it
};

/// The rule against one report.
class InputSize {
 public:
  InputSize(Bench& bench, const Rules& rules, std::size_t report)
      : bench_(bench), rules_(rules), report_(report), shapes_(shapes_of(bench.view(), report)) {}

  void check() {
    const auto seen = bench_.fact(report_, kBytes);
    if (!seen) return no_evidence();
    const std::string unknown = unknown_label();
    if (!unknown.empty()) return show_unknown(unknown, static_cast<std::int64_t>(*seen));
    const auto expected = rules_.input_bytes->value(values());
    if (!expected) return;
    const auto one = bench_.fact(report_, "label.h2d_copy_bytes");
    const auto is_expected = [&](std::optional<double> bytes) { return bytes == static_cast<double>(*expected); };
    if (is_expected(seen) || is_expected(one)) {
      judge_fitting(*expected);
    } else {
      accuse(*expected, static_cast<std::int64_t>(*seen));
    }
  }

 private:
  using Blocks = std::pair<std::int64_t, const Expression*>;
  using Values = std::vector<std::pair<std::string, std::int64_t>>;  ///< other values of labels than stated
  static constexpr std::int64_t kMostTried = 4096, kFarBeyond = std::int64_t{1} << 40;

  /// Values as stated, but for some labels.
  [[nodiscard]] Expression::Values values(const Values& changed = {}) const {
    return [this, changed](std::string_view label) {
      const auto other = std::find_if(changed.begin(), changed.end(), [&](const auto& v) { return v.first == label; });
      return other != changed.end() ? std::optional(other->second) : bench_.whole(report_, label);
    };
  }

  /// A grid of the trace that follows from a rule about rows, or nothing.
  [[nodiscard]] std::optional<Blocks> grid(const Expression::Values& values) const {
    for (const Expression& rows : rules_.grid_rows) {
      const auto blocks = rows.value(values);
      if (blocks && shapes_.shows_rows(*blocks)) return Blocks(*blocks, &rows);
    }
    return std::nullopt;
  }

  void no_evidence() {
    for (const std::string& label : rules_.input_bytes->names()) {
      if (bench_.by_default(report_, *bench_.view().label(label))) continue;
      bench_.decide(report_, label,
                    judged(LabelVerdict::kUnverifiable, "no copy to the device in every iteration tells its size"));
    }
  }

  /// The one label of the rule without a value, or empty.
  [[nodiscard]] std::string unknown_label() const {
    std::string unknown;
    for (const std::string& label : rules_.input_bytes->names()) {
      if (bench_.whole(report_, label)) continue;
      if (!unknown.empty()) return {};
      unknown = label;
    }
    return unknown;
  }

  /// The bytes give the unknown only if the other labels are right, which a grid may show.
  void show_unknown(const std::string& unknown, std::int64_t seen) {
    const auto value = solve(*rules_.input_bytes, unknown, seen, values());
    if (value) bench_.show(report_, unknown, static_cast<double>(*value));
    const auto blocks = value ? grid(values({{unknown, *value}})) : std::nullopt;
    for (const std::string& label : rules_.input_bytes->names()) {
      if (blocks) {
        bear_out(label, with_commas(seen) + " bytes copied to the device and a grid of " + with_commas(blocks->first) +
                            " blocks fit it with " + unknown + " " + with_commas(*value));
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

  /// The product fits. What it is made of is shown by the rows; where these are others, by what explains them.
  void judge_fitting(std::int64_t bytes) {
    const std::string fit = with_commas(bytes) + " bytes copied to the device fit " + stated();
    if (const auto blocks = grid(values())) {
      const std::string reason = fit + ", and so does a grid of " + with_commas(blocks->first) + " blocks";
      for (const std::string& label : rules_.input_bytes->names()) bear_out(label, reason);
      return bear_out_by_grid(*blocks);
    }
    const std::vector<Values> all = explanations_of_rows(bytes);
    if (all.empty()) return leave_open(fit + "; only the product is known");
    accuse_by_rows(all, fit + ", but kernels with a block a row run " + with_commas(*shapes_.only_rows()) + " blocks");
  }

  void leave_open(const std::string& reason) {
    for (const std::string& label : rules_.input_bytes->names()) {
      bench_.decide(report_, label, judged(LabelVerdict::kUnverifiable, reason));
    }
  }

  /// Other values that fit the rows and the bytes: of one label that the bytes do not depend on, or of two that they
  /// do.
  [[nodiscard]] std::vector<Values> explanations_of_rows(std::int64_t bytes) const {
    std::vector<Values> all = pairs_for(bytes);
    const auto rows = shapes_.only_rows();
    std::set<std::string> asked(rules_.input_bytes->names().begin(), rules_.input_bytes->names().end());
    for (const Expression& rule : rules_.grid_rows) {
      for (const std::string& label : rule.names()) {
        if (!rows || !asked.insert(label).second) continue;
        if (const auto value = single_value(rule, label, *rows)) all.push_back({{label, *value}});
      }
    }
    return all;
  }

  /// A value of the label with that many rows. Rounding may leave several: rather one that a report states, else the
  /// largest, which is the one that divides without rest.
  [[nodiscard]] std::optional<std::int64_t> single_value(const Expression& rule, const std::string& label,
                                                         std::int64_t rows) const {
    std::optional<std::int64_t> found;
    std::set<std::int64_t> stated;
    for (std::size_t r = 0; r < bench_.reports(); ++r) {
      if (const auto value = bench_.whole(r, label)) stated.insert(*value);
    }
    // Beyond some value a divisor leaves nothing, and whatever is larger "explains" as much.
    if (rule.value(values({{label, kFarBeyond}})) == rows) return std::nullopt;
    for (std::int64_t value = 1; value <= kMostTried; ++value) {
      if (rule.value(values({{label, value}})) != rows) continue;
      if (stated.contains(value)) return value;
      found = value;
    }
    return found;
  }

  /// Two labels of the bytes with other values whose rows the trace shows.
  [[nodiscard]] std::vector<Values> pairs_for(std::int64_t bytes) const {
    std::vector<Values> all;
    const std::vector<std::string>& names = rules_.input_bytes->names();
    if (!shapes_.only_rows() || names.size() != 2) return all;
    for (std::int64_t first = 1; first <= kMostTried; ++first) {
      if (bench_.whole(report_, names[0]) == first) continue;
      const auto second = solve(*rules_.input_bytes, names[1], bytes, values({{names[0], first}}));
      if (!second) continue;
      Values pair = {{names[0], first}, {names[1], *second}};
      if (grid(values(pair))) all.push_back(std::move(pair));
    }
    return all;
  }

  /// Of the explanations one is right, so every label that all of them change is wrong; what only some change may be.
  void accuse_by_rows(const std::vector<Values>& all, const std::string& what) {
    for (const Values& explanation : all) {
      for (const auto& [label, value] : explanation) {
        std::string reason = what + ", which fit " + text_of(explanation);
        if (all.size() > 1) reason += " or other values, and the trace cannot say which";
        bench_.decide(report_, label,
                      judged(LabelVerdict::kContradicted, reason, kBytes,
                             all.size() == 1 ? std::optional<double>(static_cast<double>(value)) : std::nullopt));
      }
    }
    if (all.size() > 1) return;
    for (const std::string& label : rules_.input_bytes->names()) {
      bear_out(label, what + ", which fit it with " + text_of(all.front()));
    }
    if (const auto blocks = grid(values(all.front()))) bear_out_by_grid(*blocks);
  }

  static std::string text_of(const Values& explanation) {
    std::vector<std::string> texts;
    for (const auto& [label, value] : explanation) texts.push_back(label + " " + with_commas(value));
    return listed(texts);
  }

  void bear_out(const std::string& label, const std::string& reason) {
    bench_.decide(report_, label, judged(LabelVerdict::kBorneOut, reason, kBytes, bench_.number(report_, label)));
  }

  /// Labels that the rule about kernels adds to those of the bytes.
  void bear_out_by_grid(const Blocks& blocks) {
    for (const std::string& label : blocks.second->names()) {
      bench_.decide(report_, label,
                    judged(LabelVerdict::kBorneOut,
                           "a kernel runs " + with_commas(blocks.first) + " blocks = " + blocks.second->text(), {},
                           bench_.number(report_, label)));
    }
  }

  [[nodiscard]] std::vector<Explanation> explanations(std::int64_t seen) const {
    std::vector<Explanation> out;
    for (const std::string& label : rules_.input_bytes->names()) {
      const auto value = solve(*rules_.input_bytes, label, seen, values());
      if (!value) continue;
      out.push_back({label, *value, bench_.by_default(report_, *bench_.view().label(label)),
                     grid(values({{label, *value}})).has_value()});
    }
    return out;
  }

  /// Those that remain: what the grids show, if they tell them apart; else a named label is believed over a default.
  static void narrow(std::vector<Explanation>& all) {
    const auto keep_if_some = [&](bool Explanation::* holds) {
      const bool some = std::any_of(all.begin(), all.end(), [&](const Explanation& e) { return e.*holds; });
      if (some) std::erase_if(all, [&](const Explanation& e) { return !(e.*holds); });
    };
    keep_if_some(&Explanation::in_grids);
    if (all.size() > 1) keep_if_some(&Explanation::by_default);
  }

  void accuse(std::int64_t expected, std::int64_t seen) {
    std::vector<Explanation> all = explanations(seen);
    narrow(all);
    const std::string what = with_commas(seen) + " bytes copied to the device in an iteration, not the " +
                             with_commas(expected) + " of " + stated();
    if (all.empty() || !all.front().in_grids) {  // a pair that the rows show says more than one label that they do not
      if (const auto pairs = pairs_for(seen); pairs.size() == 1) return accuse_by_rows(pairs, what);
    }
    for (const Explanation& e : all) {
      std::string reason = what + "; they fit " + e.label + " " + with_commas(e.value);
      if (all.size() > 1) reason += " or another " + others(all, e.label) + ", and the trace cannot say which";
      bench_.decide(report_, e.label,
                    judged(LabelVerdict::kContradicted, reason, kBytes, static_cast<double>(e.value)));
    }
    if (all.empty()) return accuse_all(what);
    if (all.size() == 1) judge_others(all.front(), seen);
  }

  /// The labels that one wrong one leaves: the bytes show them only together with it, a grid shows them.
  void judge_others(const Explanation& wrong, std::int64_t seen) {
    const auto blocks = grid(values({{wrong.label, wrong.value}}));
    const std::string fit =
        with_commas(seen) + " bytes copied to the device fit it with " + wrong.label + " " + with_commas(wrong.value);
    if (!blocks) return leave_open(fit + "; only the product is known");
    for (const std::string& label : rules_.input_bytes->names()) {
      bear_out(label, fit + ", and so does a grid of " + with_commas(blocks->first) + " blocks");
    }
    bear_out_by_grid(*blocks);
  }

  void accuse_all(const std::string& what) {
    for (const std::string& label : rules_.input_bytes->names()) {
      bench_.decide(report_, label,
                    judged(LabelVerdict::kContradicted, what + ", and no other value of one label alone fits", kBytes));
    }
  }

  static std::string others(const std::vector<Explanation>& all, const std::string& label) {
    std::vector<std::string> names;
    for (const Explanation& e : all) {
      if (e.label != label) names.push_back(e.label);
    }
    return listed(names);
  }

  Bench& bench_;
  const Rules& rules_;
  std::size_t report_;
  Shapes shapes_;
};

}  // namespace

void check_input_size(Bench& bench, const Rules& rules) {
  if (!rules.input_bytes) return;
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    if (!bench.view().is_noise(r)) InputSize(bench, rules, r).check();
  }
}

}  // namespace assay::labels
