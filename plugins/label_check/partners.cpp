// Reports against each other: what a label declares to change must differ between reports that differ in it.
#include <algorithm>

#include "assay/words.hpp"
#include "judge.hpp"
#include "words.hpp"

namespace assay::labels {
namespace {

/// Part of run_summary's fingerprint: "copies=...;kernels=...;...".
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

/// What a label declares to change and does not between two reports: "kernels", "kernels and copies"; empty when all
/// that it declares differs.
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

class Partners {
 public:
  Partners(Bench& bench, const Rules& rules) : bench_(bench), rules_(rules) {
    for (std::size_t r = 0; r < bench.reports(); ++r) {
      fingerprints_.push_back(bench.view().attribute(r, "fingerprint"));
      believed_.push_back(!bench.view().is_noise(r) && !bench.contradicted(r));
    }
  }

  void check(std::size_t report, std::size_t label) {
    if (bench_.changes(label) == 0) return unverifiable(report, label, "it changes nothing that a trace shows");
    if (!believed_[report]) return unverifiable(report, label, "another label of the report is contradicted");
    if (!fingerprints_[report]) {
      return unverifiable(report, label,
                          bench_.graphs_hide_kernels(report) ? "graph launches hide the kernels"
                                                             : "the trace does not show what it asked the device for");
    }
    compare(report, label);
  }

 private:
  void unverifiable(std::size_t report, std::size_t label, std::string reason) {
    bench_.decide(report, label, judged(LabelVerdict::kUnverifiable, std::move(reason)));
  }

  /// What two reports have in common that the label should have changed; empty when nothing. Runs that are equal in
  /// everything are so whatever else their names state.
  [[nodiscard]] std::string in_common(std::size_t a, std::size_t b, std::size_t label) const {
    if (*fingerprints_[a] == *fingerprints_[b]) return "work for the device";
    if (!bench_.equal_but(a, b, label)) return {};
    return unchanged(bench_.changes(label), *fingerprints_[a], *fingerprints_[b]);
  }

  /// Whether a report of the same labels asked the device for something else and none for the same. Where such a run
  /// equals one of other labels, it is the one whose name is wrong.
  [[nodiscard]] bool stands_alone(std::size_t report) const {
    bool disputed = false;
    for (std::size_t other = 0; other < bench_.reports(); ++other) {
      if (other == report || !believed_[other] || !fingerprints_[other]) continue;
      if (!bench_.same_labels(report, other) || !bench_.same_place(report, other)) continue;
      if (*fingerprints_[other] == *fingerprints_[report]) return false;
      disputed = true;
    }
    return disputed;
  }

  [[nodiscard]] std::string named(std::size_t report, std::size_t label) const {
    return file_name(bench_.view().path(report)) + " (" + std::string(bench_.name(label)) + " " +
           std::string(bench_.text(report, label)) + ")";
  }

  void compare(std::size_t report, std::size_t label) {
    std::vector<std::string> equal, undecided;
    std::string common;
    std::size_t partners = 0;
    for (std::size_t other = 0; other < bench_.reports(); ++other) {
      if (!believed_[other] || !fingerprints_[other] || !bench_.at(other, label).stated) continue;
      if (bench_.text(other, label) == bench_.text(report, label)) continue;
      if (bench_.equal_but(report, other, label)) ++partners;
      std::string same = in_common(report, other, label);
      if (same.empty()) continue;
      const bool odd = stands_alone(report);
      if (stands_alone(other)) {
        if (odd) undecided.push_back(named(other, label));
        continue;
      }
      equal.push_back(named(other, label));
      common = std::move(same);
    }
    if (!equal.empty()) {
      bench_.decide(report, label, judged(LabelVerdict::kNotBorneOut, "the same " + common + " as " + listed(equal)));
    } else if (!undecided.empty()) {
      bench_.dispute(report, label,
                     "the same work for the device as " + listed(undecided) +
                         ", while runs of the same labels as either differ: nothing says which names are right");
    } else if (const std::string& doubt = bench_.at(report, label).reason; !doubt.empty()) {
      unverifiable(report, label, doubt);
    } else if (is_linear(label)) {
      unverifiable(report, label, "its kernels in an iteration are not known");
    } else if (partners == 0) {
      unverifiable(report, label, "no report differs from it in this label alone");
    } else {
      unverifiable(report, label,
                   "its work differs from that of " + counted(partners, "report") +
                       " with another value, which does not say that its own is right");
    }
  }

  [[nodiscard]] bool is_linear(std::size_t label) const {
    return std::find(rules_.linear.begin(), rules_.linear.end(), bench_.name(label)) != rules_.linear.end();
  }

  Bench& bench_;
  const Rules& rules_;
  std::vector<std::optional<std::string_view>> fingerprints_;
  std::vector<bool> believed_;
};

}  // namespace

void check_partners(Bench& bench, const Rules& rules) {
  Partners partners(bench, rules);
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    for (std::size_t l = 0; l < bench.labels(); ++l) {
      // A default is what nobody stated: it is judged only by what speaks of it directly.
      if (bench.at(r, l).stated && !bench.at(r, l).verdict && !bench.by_default(r, l)) partners.check(r, l);
    }
  }
}

}  // namespace assay::labels
