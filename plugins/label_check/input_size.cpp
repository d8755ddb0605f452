// The bytes copied to the device against the labels that they follow from, such as batch and resolution
// (research_questions.md).
#include <algorithm>
#include <charconv>
#include <set>

#include "assay/words.hpp"
#include "judge.hpp"
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

std::set<std::int64_t> grids_of(const StudyView& view, std::size_t report) {
  std::set<std::int64_t> grids;
  const std::string_view text = view.attribute(report, "label.grids").value_or("");
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    std::int64_t grid = 0;
    const auto [stop, error] = std::from_chars(at, end, grid);
    if (error != std::errc()) break;
    grids.insert(grid);
    at = stop + 1;
  }
  return grids;
}

/// The rule against one report.
class InputSize {
 public:
  InputSize(Bench& bench, const Rules& rules, std::size_t report)
      : bench_(bench), rules_(rules), report_(report), grids_(grids_of(bench.view(), report)) {}

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
      bear_out(*expected);
    } else {
      accuse(*expected, static_cast<std::int64_t>(*seen));
    }
  }

 private:
  using Blocks = std::pair<std::int64_t, const Expression*>;

  /// Values as stated, but for one label.
  [[nodiscard]] Expression::Values values(std::string_view changed = {}, std::int64_t value = 0) const {
    return [this, changed, value](std::string_view label) {
      return label == changed ? std::optional(value) : bench_.whole(report_, label);
    };
  }

  /// A grid of the trace that follows from a rule about kernels, or nothing.
  [[nodiscard]] std::optional<Blocks> grid(const Expression::Values& values) const {
    for (const Expression& rows : rules_.grid_rows) {
      const auto blocks = rows.value(values);
      if (blocks && grids_.contains(*blocks)) return Blocks(*blocks, &rows);
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
    const auto blocks = value ? grid(values(unknown, *value)) : std::nullopt;
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
      texts.push_back(label + " " + with_commas(bench_.whole(report_, label).value_or(0)));
    }
    return listed(texts);
  }

  void bear_out(std::int64_t bytes) {
    const auto blocks = grid(values());
    std::string reason = with_commas(bytes) + " bytes copied to the device fit " + stated();
    reason +=
        blocks ? ", and so does a grid of " + with_commas(blocks->first) + " blocks" : "; they show only the product";
    for (const std::string& label : rules_.input_bytes->names()) bear_out(label, reason);
    if (blocks) bear_out_by_grid(*blocks);
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
                     grid(values(label, *value)).has_value()});
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
    for (const Explanation& e : all) {
      std::string reason = what + "; they fit " + e.label + " " + with_commas(e.value);
      if (all.size() > 1) reason += " or another " + others(all, e.label) + ", and the trace cannot say which";
      bench_.decide(report_, e.label,
                    judged(LabelVerdict::kContradicted, reason, kBytes, static_cast<double>(e.value)));
    }
    if (all.empty()) return accuse_all(what);
    if (all.size() > 1) return;
    const Explanation& only = all.front();
    for (const std::string& label : rules_.input_bytes->names()) {
      bear_out(label, with_commas(seen) + " bytes copied to the device fit it with " + only.label + " " +
                          with_commas(only.value));
    }
    if (const auto blocks = grid(values(only.label, only.value))) bear_out_by_grid(*blocks);
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
  std::set<std::int64_t> grids_;
};

}  // namespace

void check_input_size(Bench& bench, const Rules& rules) {
  if (!rules.input_bytes) return;
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    if (!bench.view().is_noise(r)) InputSize(bench, rules, r).check();
  }
}

}  // namespace assay::labels
