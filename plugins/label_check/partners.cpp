// Compares reports with each other: what a label declares to change must differ between reports that differ in the
// label.
#include <algorithm>
#include <map>
#include <tuple>

#include "assay/words.hpp"
#include "judge.hpp"
#include "words.hpp"

namespace assay::labels {
namespace {

/// A part of run_summary's fingerprint: "copies=...;kernels=...;...".
std::string_view part_of(std::string_view fingerprint, std::string_view name) {
  while (!fingerprint.empty()) {
    const std::string_view part = fingerprint.substr(0, fingerprint.find(';'));
    if (part.starts_with(name) && part.size() > name.size() && part[name.size()] == '=') {
      return part.substr(name.size() + 1);
    }
    fingerprint.remove_prefix(std::min(fingerprint.size(), part.size() + 1));
  }
  return {};
}

/// What a label declares to change but is equal in two reports: "kernels", "kernels and copies"; empty if everything
/// declared differs.
std::string unchanged(std::uint32_t changes, std::string_view a, std::string_view b) {
  std::vector<std::string> same;
  const auto compare = [&](std::uint32_t bit, std::string_view part, const char* word) {
    if ((changes & bit) != 0 && part_of(a, part) == part_of(b, part)) same.emplace_back(word);
  };
  compare(kChangesKernels, "kernels", "kernels");
  compare(kChangesCopies, "copies", "copies");
  compare(kChangesSync, "syncs", "waiting calls");
  return listed(same);
}

/// Differences and similarities of two reports, declared or not: "same kernels, 96 graph launches against 0 per
/// iteration". Parts of the fingerprint that are empty because the profile lacks them count as equal.
std::string seen_text(std::string_view a, std::string_view b) {
  struct Part {
    std::string_view name, words;
    bool is_count;
  };
  constexpr Part kParts[] = {{"kernels", "kernels", false},
                             {"copies", "copies", false},
                             {"sets", "memory sets", true},
                             {"syncs", "waiting calls", false},
                             {"graph_launches", "graph launches", true}};
  std::vector<std::string> same;
  std::string other;
  for (const Part& part : kParts) {
    const std::string_view x = part_of(a, part.name), y = part_of(b, part.name);
    std::string words(part.words);
    if (x == y && !part.is_count) same.push_back(words);
    if (x == y) continue;
    if (part.is_count) words = filled("{} {} against {}", {std::string(x), words, std::string(y)});
    other += (other.empty() ? "" : ", ") + (part.is_count ? words : "other " + words);
  }
  const bool per_iteration = part_of(a, "per") == "iteration" && other.find("against") != std::string::npos;
  return (same.empty() ? "" : "same " + listed(same) + ", ") + other + (per_iteration ? " per iteration" : "");
}

/// What a label declares to change: "kernels and copies".
std::string declared_text(std::uint32_t changes) {
  std::vector<std::string> words;
  if ((changes & kChangesKernels) != 0) words.emplace_back("kernels");
  if ((changes & kChangesCopies) != 0) words.emplace_back("copies");
  if ((changes & kChangesSync) != 0) words.emplace_back("waiting calls");
  return listed(words);
}

/// Numbers for texts: equal texts get equal numbers.
class Numbers {
 public:
  std::size_t index_of(std::string_view text) {
    return numbers_.try_emplace(std::string(text), numbers_.size()).first->second;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

/// Reports that count as evidence and agree in all that matters: labels, requested device work, and location. Campaigns
/// have many reports of few kinds, so kinds are compared instead of reports.
struct RunKind {
  std::size_t fingerprint = 0, place = 0;
  std::vector<std::size_t> texts;    ///< of each label
  std::vector<char> stated;          ///< each label
  std::vector<std::size_t> reports;  ///< rising
  std::optional<bool> alone = {};    ///< stands_alone, once determined
};

class Partners {
 public:
  Partners(Bench& bench, const Rules& rules) : bench_(bench), rules_(rules), kind_(bench.reports(), kNoKind) {
    Numbers numbers;
    std::map<std::tuple<std::size_t, std::size_t, std::vector<std::size_t>, std::vector<char>>, std::size_t> kinds;
    for (std::size_t r = 0; r < bench.reports(); ++r) {
      fingerprints_.push_back(bench.view().attribute(r, "fingerprint"));
      believed_.push_back(!bench.view().is_noise(r) && !bench.doubted(r));
      if (!believed_[r] || !fingerprints_[r]) continue;
      RunKind kind{numbers.index_of(*fingerprints_[r]), numbers.index_of(bench.folder_of(r)), {}, {}, {}};
      for (std::size_t l = 0; l < bench.labels(); ++l) {
        kind.texts.push_back(numbers.index_of(bench.text(r, l)));
        kind.stated.push_back(bench.at(r, l).stated ? 1 : 0);
      }
      const auto [at, fresh] =
          kinds.try_emplace({kind.fingerprint, kind.place, kind.texts, kind.stated}, kinds_.size());
      if (fresh) kinds_.push_back(std::move(kind));
      kinds_[at->second].reports.push_back(r);
      kind_[r] = at->second;
    }
    for (std::size_t l = 0; l < bench.labels(); ++l) {
      const bool describes = bench.view().study().labels->descriptive[l] != 0;
      if (!describes) telling_.push_back(l);
      if (!describes && bench.changes(l) != 0) changing_.push_back(l);
    }
  }

  void check(std::size_t report, std::size_t label) {
    if (bench_.changes(label) == 0) return unverifiable(report, label, "it changes nothing visible in a trace");
    if (!believed_[report]) return unverifiable(report, label, "another label of the profile is not trustworthy");
    if (!fingerprints_[report]) {
      return unverifiable(report, label,
                          bench_.graphs_hide_kernels(report) ? "graph launches hide the kernels"
                                                             : "the trace does not show what work it gave the device");
    }
    compare(report, label);
  }

 private:
  void unverifiable(std::size_t report, std::size_t label, std::string reason) {
    bench_.decide(report, label, judged(LabelVerdict::kUnverifiable, std::move(reason)));
  }

  /// Whether two kinds agree in every label that declares a change, except one.
  [[nodiscard]] bool equal_but(const RunKind& a, const RunKind& b, std::size_t label) const {
    return std::ranges::all_of(changing_, [&](std::size_t l) { return l == label || a.texts[l] == b.texts[l]; });
  }

  /// Whether assay itself made the runs of both kinds: then their labels come from the command line it used, and an
  /// undeclared difference in work accuses no name.
  [[nodiscard]] bool both_recorded(const RunKind& a, const RunKind& b) const {
    return bench_.is_recorded(a.reports.front()) && bench_.is_recorded(b.reports.front());
  }

  /// What reports of two kinds have in common although the label should have changed it; empty if nothing. Runs that
  /// are equal in everything count, whatever else their names state.
  [[nodiscard]] std::string in_common(const RunKind& a, const RunKind& b, bool differ_in_it_alone,
                                      std::size_t label) const {
    if (a.fingerprint == b.fingerprint) return "work for the device";
    if (!differ_in_it_alone) return {};
    return unchanged(bench_.changes(label), *fingerprints_[a.reports.front()], *fingerprints_[b.reports.front()]);
  }

  /// Whether some report with the same labels requested other device work and none the same. If such a run equals one
  /// with other labels, its name is the wrong one.
  [[nodiscard]] bool stands_alone(RunKind& kind) {
    if (!kind.alone) kind.alone = kind.reports.size() == 1 && differs_from_its_like(kind);
    return *kind.alone;
  }

  [[nodiscard]] bool differs_from_its_like(const RunKind& kind) const {
    bool disputed = false;
    for (const RunKind& other : kinds_) {
      if (&other == &kind || other.place != kind.place) continue;
      const bool same_labels =
          std::ranges::all_of(telling_, [&](std::size_t l) { return kind.texts[l] == other.texts[l]; });
      if (!same_labels) continue;
      if (other.fingerprint == kind.fingerprint) return false;
      disputed = true;
    }
    return disputed;
  }

  [[nodiscard]] std::string named(std::size_t report, std::size_t label) const {
    return filled("{} ({} {})", {file_name(bench_.view().path(report)), std::string(bench_.name(label)),
                                 std::string(bench_.text(report, label))});
  }

  void compare(std::size_t report, std::size_t label) {
    RunKind& own = kinds_[kind_[report]];
    std::map<std::size_t, std::string> same_as, disputed_with;  // report, what they have in common
    std::size_t partners = 0;
    std::string unlike_declared;
    for (RunKind& other : kinds_) {
      if (other.stated[label] == 0 || other.texts[label] == own.texts[label]) continue;
      const bool differ_in_it_alone = equal_but(own, other, label);
      if (differ_in_it_alone) partners += other.reports.size();
      const std::string same = in_common(own, other, differ_in_it_alone, label);
      if (!same.empty() && own.fingerprint != other.fingerprint && both_recorded(own, other)) {
        unlike_declared = seen_text(*fingerprints_[report], *fingerprints_[other.reports.front()]);
        continue;
      }
      if (same.empty() || (stands_alone(other) && !stands_alone(own))) continue;
      for (const std::size_t r : other.reports) (stands_alone(other) ? disputed_with : same_as).emplace(r, same);
    }
    std::vector<std::string> equal, undecided;
    for (const auto& [r, same] : same_as) equal.push_back(named(r, label));
    for (const auto& [r, same] : disputed_with) undecided.push_back(named(r, label));
    const std::string common = same_as.empty() ? std::string() : same_as.rbegin()->second;
    if (!equal.empty()) {
      const bool recorded = bench_.is_recorded(report);
      bench_.decide(
          report, label,
          judged(LabelVerdict::kNotBorneOut,
                 filled("the same {} as {}{}", {common, listed(equal), recorded ? ": the option had no effect" : ""})));
    } else if (!undecided.empty()) {
      bench_.dispute(report, label,
                     "the same work for the device as " + listed(undecided) +
                         ", while runs with the same labels as either differ: it is unclear which names are right");
    } else if (!unlike_declared.empty()) {
      Judgement judgement =
          judged(LabelVerdict::kUnverifiable,
                 filled("declared: {} changes {}; seen: {}",
                        {std::string(bench_.name(label)), declared_text(bench_.changes(label)), unlike_declared}));
      judgement.unlike_declared = true;
      bench_.decide(report, label, std::move(judgement));
    } else if (const std::string& doubt = bench_.at(report, label).reason; !doubt.empty()) {
      unverifiable(report, label, doubt);
    } else if (is_linear(label)) {
      unverifiable(report, label, "its kernels per iteration are unknown");
    } else if (partners == 0) {
      unverifiable(report, label, "no profile differs from it in this label alone");
    } else {
      unverifiable(report, label,
                   "its work differs from that of " + counted(partners, "profile") +
                       " with another value, which does not prove that its own is right");
    }
  }

  [[nodiscard]] bool is_linear(std::size_t label) const {
    return std::ranges::find(rules_.linear, bench_.name(label)) != rules_.linear.end();
  }

  static constexpr std::size_t kNoKind = static_cast<std::size_t>(-1);
  Bench& bench_;
  const Rules& rules_;
  std::vector<RunKind> kinds_;                   ///< by their first report
  std::vector<std::size_t> kind_;                ///< by report; kNoKind: no evidence
  std::vector<std::size_t> telling_, changing_;  ///< labels that are not descriptive; labels that declare a change
  std::vector<std::optional<std::string_view>> fingerprints_;
  std::vector<bool> believed_;
};

}  // namespace

void check_partners(Bench& bench, const Rules& rules) {
  Partners partners(bench, rules);
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    for (std::size_t l = 0; l < bench.labels(); ++l) {
      // Defaults are not stated, so only direct evidence judges them.
      if (bench.at(r, l).stated && !bench.at(r, l).verdict && !bench.has_default(r, l)) partners.check(r, l);
    }
  }
}

}  // namespace assay::labels
