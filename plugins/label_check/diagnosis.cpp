#include "diagnosis.hpp"

#include <algorithm>

namespace assay::labels {
namespace {

constexpr std::int64_t kMaxTried = 4096, kFarBeyond = std::int64_t{1} << 40;

Expression::Values lookup(const LabelValues& values) {
  return [&values](std::string_view name) {
    const auto at = values.find(std::string(name));
    return at == values.end() ? std::nullopt : std::optional(at->second);
  };
}

/// Tests one set of labels.
class Search {
 public:
  Search(const std::vector<Constraint>& constraints, const LabelValues& stated, const std::set<std::string>& labels)
      : constraints_(constraints), stated_(stated), labels_(labels), values_(stated) {}

  Explanation run() {
    for (const std::string& label : labels_) values_.erase(label);
    assign();
    return {labels_, std::move(solutions_)};
  }

 private:
  void assign() {
    if (solutions_.size() >= kMaxSolutions) return;
    const Constraint* next = nullptr;
    std::set<std::string> open;
    for (const Constraint& constraint : constraints_) {
      std::set<std::string> names = open_names(constraint);
      if (names.empty() || (next != nullptr && weight(constraint, names) >= weight(*next, open))) continue;
      next = &constraint;
      open = std::move(names);
    }
    if (next == nullptr) return keep();
    const std::string label = *open.begin();
    if (open.size() > 1) {
      for (std::int64_t value = 1; value <= kMaxTried; ++value) try_value(label, value);
    } else {
      for (const std::int64_t value : candidates(*next, label)) try_value(label, value);
    }
  }

  /// Constraints with the fewest open labels first, among them the exact ones.
  static std::size_t weight(const Constraint& constraint, const std::set<std::string>& open) {
    return 2 * open.size() + (constraint.numbers.size() > 2 ? 1 : 0);
  }

  void try_value(const std::string& label, std::int64_t value) {
    if (stated_.at(label) == value) return;  // a smaller set would do
    values_[label] = value;
    assign();
    values_.erase(label);
  }

  void keep() {
    if (values_.size() != stated_.size()) return;  // a label outside of all constraints
    const auto holds = [&](const Constraint& constraint) { return constraint.holds(values_); };
    if (!std::all_of(constraints_.begin(), constraints_.end(), holds)) return;
    LabelValues& solution = solutions_.emplace_back();
    for (const std::string& label : labels_) solution[label] = values_.at(label);
  }

  [[nodiscard]] std::set<std::string> open_names(const Constraint& constraint) const {
    std::set<std::string> out;
    for (const Expression* rule : constraint.rules) {
      for (const std::string& name : rule->names()) {
        if (labels_.contains(name) && !values_.contains(name)) out.insert(name);
      }
    }
    return out;
  }

  /// Values of the single open label that satisfy a constraint.
  [[nodiscard]] std::set<std::int64_t> candidates(const Constraint& constraint, const std::string& label) const {
    std::set<std::int64_t> out;
    for (const Expression* rule : constraint.rules) {
      for (const auto& [low, high] : constraint.numbers) add_candidates(*rule, label, low, high, out);
    }
    return out;
  }

  void add_candidates(const Expression& rule, const std::string& label, std::int64_t low, std::int64_t high,
                      std::set<std::int64_t>& out) const {
    const Expression::Values others = lookup(values_);
    const auto gives = [&](std::int64_t value) {
      return rule.value([&](std::string_view name) { return name == label ? std::optional(value) : others(name); });
    };
    const auto fits = [&](std::int64_t value) {
      const auto number = value > 0 ? gives(value) : std::nullopt;
      return number && *number >= low && *number <= high;
    };
    // Beyond some value a divisor yields nothing, and all larger values "explain" the number equally.
    const auto first = gives(1), last = gives(kMaxTried);
    if (fits(kFarBeyond) || (first && last && *first == *last)) return;
    const bool falls = first && last && *first > *last;
    if (falls || low != high) {
      for (std::int64_t value = 1; value <= kMaxTried; ++value) {
        if (fits(value)) out.insert(value);
      }
      return;
    }
    const auto some = solve(rule, label, low, others);
    if (!some) return;
    for (std::int64_t value = *some; fits(value) && out.size() < kMaxSolutions; --value) out.insert(value);
    for (std::int64_t value = *some + 1; fits(value) && out.size() < kMaxSolutions; ++value) out.insert(value);
  }

  const std::vector<Constraint>& constraints_;
  const LabelValues& stated_;
  const std::set<std::string>& labels_;
  LabelValues values_;
  std::vector<LabelValues> solutions_;
};

/// Whether labels occur in every constraint violated by the stated values.
bool hits(const std::set<std::string>& labels, const std::vector<Constraint>& missed) {
  return std::all_of(missed.begin(), missed.end(), [&](const Constraint& constraint) {
    return std::any_of(constraint.rules.begin(), constraint.rules.end(), [&](const Expression* rule) {
      return std::any_of(rule->names().begin(), rule->names().end(),
                         [&](const std::string& name) { return labels.contains(name); });
    });
  });
}

/// Calls `visit` with every set of `size` names.
template <class Visit>
void each_set(const std::vector<std::string>& names, std::size_t size, Visit&& visit) {
  std::vector<char> chosen(names.size(), 0);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), char{1});
  do {
    std::set<std::string> labels;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (chosen[i] != 0) labels.insert(names[i]);
    }
    visit(labels);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
}

}  // namespace

bool Constraint::holds(const LabelValues& values) const {
  return std::any_of(rules.begin(), rules.end(), [&](const Expression* rule) {
    const auto number = rule->value(lookup(values));
    return number && std::any_of(numbers.begin(), numbers.end(),
                                 [&](const auto& range) { return *number >= range.first && *number <= range.second; });
  });
}

std::optional<std::vector<Explanation>> smallest_explanations(const std::vector<Constraint>& constraints,
                                                              const LabelValues& stated, std::size_t most) {
  std::vector<Constraint> missed;
  std::set<std::string> named;
  for (const Constraint& constraint : constraints) {
    if (!constraint.holds(stated)) missed.push_back(constraint);
    for (const Expression* rule : constraint.rules) named.insert(rule->names().begin(), rule->names().end());
  }
  std::vector<Explanation> found;
  if (missed.empty()) return found;
  std::vector<std::string> names;
  for (const std::string& name : named) {
    if (stated.contains(name)) names.push_back(name);
  }
  for (std::size_t size = 1; size <= std::min(most, names.size()); ++size) {
    each_set(names, size, [&](const std::set<std::string>& labels) {
      if (!hits(labels, missed)) return;
      Explanation explanation = Search(constraints, stated, labels).run();
      if (!explanation.values.empty()) found.push_back(std::move(explanation));
    });
    if (!found.empty()) return found;
  }
  return std::nullopt;
}

}  // namespace assay::labels
