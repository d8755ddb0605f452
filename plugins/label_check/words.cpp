#include "words.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::labels {
namespace {

constexpr std::array<LabelVerdict, 4> kVerdicts = {LabelVerdict::kContradicted, LabelVerdict::kNotBorneOut,
                                                   LabelVerdict::kBorneOut, LabelVerdict::kUnverifiable};

std::string spoken(LabelVerdict verdict) {
  std::string out(verdict_word(verdict));
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

/// Calls `visit(report, label, judgement)` for every judged label.
template <class Visit>
void each_judged(const Bench& bench, Visit&& visit) {
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    for (std::size_t l = 0; l < bench.labels(); ++l) {
      if (bench.at(r, l).verdict) visit(r, l, bench.at(r, l));
    }
  }
}

std::size_t question_reports(const Bench& bench) {
  std::size_t count = 0;
  for (std::size_t r = 0; r < bench.reports(); ++r) count += bench.view().is_noise(r) ? 0U : 1U;
  return count;
}

/// "px 17 borne out; numa 17 unverifiable".
std::string counts_text(const Bench& bench) {
  std::vector<std::array<std::size_t, kVerdicts.size()>> counts(bench.labels());
  each_judged(bench, [&](std::size_t, std::size_t l, const Judgement& j) {
    ++counts[l][static_cast<std::size_t>(*j.verdict)];
  });
  std::string out;
  for (std::size_t l = 0; l < bench.labels(); ++l) {
    std::vector<std::string> parts;
    for (const LabelVerdict verdict : kVerdicts) {
      const std::size_t count = counts[l][static_cast<std::size_t>(verdict)];
      if (count > 0) parts.push_back(std::to_string(count) + " " + spoken(verdict));
    }
    if (!parts.empty()) out += filled("{}{}: {}", {out.empty() ? "" : "; ", std::string(bench.name(l)), listed(parts)});
  }
  return out;
}

Finding answer(const Bench& bench) {
  std::set<std::size_t> accused;
  std::map<std::size_t, std::size_t> by_label;
  each_judged(bench, [&](std::size_t r, std::size_t l, const Judgement& j) {
    if (accuses(*j.verdict)) {
      accused.insert(r);
      ++by_label[l];
    }
  });
  Finding finding;
  finding.role = FindingRole::kAnswer;
  const std::size_t all = question_reports(bench);
  if (accused.empty()) {
    finding.title = "No label of " + counted(all, "profile") + " is contradicted by its trace";
  } else {
    std::vector<std::string> labels;
    for (const auto& [label, count] : by_label)
      labels.push_back(std::string(bench.name(label)) + " in " + std::to_string(count));
    finding.title = counted_of(accused.size(), all, "profile") +
                    (accused.size() == 1 ? " is not what its labels say: " : " are not what their labels say: ") +
                    listed(labels);
  }
  finding.text = "Labels by verdict: " + counts_text(bench) + ".";
  return finding;
}

/// Identical judgements on one value of a label, and their reports.
struct Group {
  std::vector<std::size_t> reports;
  const Judgement* judgement = nullptr;
};
using GroupKey = std::tuple<std::size_t, LabelVerdict, std::string, std::string>;  // label, verdict, value, reason

std::map<GroupKey, Group> groups_of(const Bench& bench, bool (*wanted)(const Judgement&), bool by_value) {
  std::map<GroupKey, Group> groups;
  each_judged(bench, [&](std::size_t r, std::size_t l, const Judgement& j) {
    if (!wanted(j)) return;
    Group& group = groups[{l, *j.verdict, by_value ? std::string(bench.text(r, l)) : std::string(), j.reason}];
    group.reports.push_back(r);
    group.judgement = &j;
  });
  return groups;
}

std::string names_of(const Bench& bench, const std::vector<std::size_t>& reports) {
  std::vector<std::string> names;
  for (const std::size_t r : reports) {
    std::string name = file_name(bench.view().path(r));
    // Repetitions of a run are in different folders under the same name.
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return listed(names);
}

Finding accusation(const Bench& bench, const GroupKey& key, const Group& group) {
  const auto& [label, verdict, value, reason] = key;
  Finding finding;
  finding.role = FindingRole::kEvidence;
  const std::string name(bench.name(label));
  const std::string who =
      group.reports.size() == 1 ? names_of(bench, group.reports) : counted(group.reports.size(), "profile");
  finding.title = filled("{}: {} {} is {}", {who, name, value, spoken(verdict)});
  finding.text = filled("Stated: {} {}. Found: {}.", {name, value, reason});
  if (group.reports.size() > 1) finding.text += " Reports: " + names_of(bench, group.reports) + ".";
  finding.labels = {{name, value}};
  for (const std::size_t r : group.reports) {
    if (group.judgement->evidence.empty()) break;
    bench.view().each_fact(static_cast<Row>(r), group.judgement->evidence,
                           [&](std::size_t fact) { finding.evidence.push_back(static_cast<std::int64_t>(fact)); });
  }
  return finding;
}

bool is_open(const Judgement& j) {
  return *j.verdict == LabelVerdict::kUnverifiable && !j.conflict && !j.unlike_declared;
}

/// Options of a recording that changed other work than declared: one note per label.
std::vector<Finding> unlike_declared(const Bench& bench) {
  std::map<std::size_t, std::pair<std::set<std::string>, std::size_t>> by_label;
  each_judged(bench, [&](std::size_t, std::size_t l, const Judgement& j) {
    if (!j.unlike_declared) return;
    by_label[l].first.insert(j.reason);
    ++by_label[l].second;
  });
  std::vector<Finding> out;
  for (const auto& [label, seen] : by_label) {
    Finding& note = out.emplace_back();
    note.role = FindingRole::kNote;
    note.title = *seen.first.begin();
    note.title.front() = 'D';
    note.text = filled(
        "The labels of a recording are what assay put on the command line, so the claims on the {} are judged all the "
        "same. `changes` of the label {} should name what it changes.",
        {counted(seen.second, "profile"), std::string(bench.name(label))});
  }
  return out;
}

/// Labels and runs of which some are wrong, but it is unknown which.
std::optional<Finding> conflicts(const Bench& bench) {
  const auto groups = groups_of(bench, [](const Judgement& j) { return j.conflict; }, true);
  if (groups.empty()) return std::nullopt;
  Finding finding;
  finding.role = FindingRole::kEvidence;
  std::set<std::size_t> reports;
  for (const auto& [key, group] : groups) {
    reports.insert(group.reports.begin(), group.reports.end());
    finding.text += (finding.text.empty() ? "" : " ") + names_of(bench, group.reports) + ", " +
                    std::string(bench.name(std::get<0>(key))) + " " + std::get<2>(key) + ": " + std::get<3>(key) + ".";
  }
  finding.title = counted(reports.size(), "profile") +
                  " cannot be trusted: their labels do not match their traces, or other runs with the same labels or "
                  "work, and it is unclear which label or run is wrong";
  return finding;
}

std::optional<Finding> unverifiable(const Bench& bench) {
  const auto groups = groups_of(bench, is_open, false);
  if (groups.empty()) return std::nullopt;
  Finding finding;
  finding.role = FindingRole::kNote;
  std::vector<std::string> labels;
  for (const auto& [key, group] : groups) {
    const std::string name(bench.name(std::get<0>(key)));
    if (labels.empty() || labels.back() != name) labels.push_back(name);
    finding.text += (finding.text.empty() ? "" : " ") + name + " of " + counted(group.reports.size(), "profile") +
                    ": " + std::get<3>(key) + ".";
  }
  finding.title = "Labels that no trace here can verify: " + listed(labels);
  return finding;
}

/// "queue and memory": labels whose value differs. Descriptive ones distinguish repetitions of one run, which should be
/// equal.
std::string differing_labels(const Bench& bench, const std::vector<std::size_t>& reports) {
  std::vector<std::string> names;
  for (std::size_t l = 0; l < bench.labels(); ++l) {
    if (bench.view().study().labels->descriptive[l] != 0) continue;
    const bool differs = std::any_of(reports.begin(), reports.end(),
                                     [&](std::size_t r) { return bench.text(r, l) != bench.text(reports.front(), l); });
    if (differs) names.emplace_back(bench.name(l));
  }
  return listed(names);
}

std::optional<Finding> equal_runs(const Bench& bench) {
  std::map<std::string_view, std::vector<std::size_t>> groups;
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    const auto fingerprint = bench.view().is_noise(r) ? std::nullopt : bench.view().attribute(r, "fingerprint");
    if (fingerprint) groups[*fingerprint].push_back(r);
  }
  std::map<std::size_t, std::string> sentences;  // by the first report of the group
  std::size_t runs = 0;
  for (const auto& [fingerprint, reports] : groups) {
    const std::string labels = differing_labels(bench, reports);
    if (labels.empty()) continue;
    runs += reports.size();
    sentences[reports.front()] = filled("{} differ in {}.", {names_of(bench, reports), labels});
  }
  if (sentences.empty()) return std::nullopt;
  Finding finding;
  finding.role = FindingRole::kNote;
  finding.title = counted(runs, "profile") + " under different names did the same device work in " +
                  counted(sentences.size(), "group");
  finding.text = "They ran the same program, or their labels had no effect.";
  for (const auto& [first, sentence] : sentences) finding.text += " " + sentence;
  return finding;
}

}  // namespace

std::string with_commas(std::int64_t number) {
  std::string out = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = out.size(); at > first + 3;) out.insert(at -= 3, ",");
  return out;
}

std::string file_name(std::string_view path) {
  path.remove_prefix(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
  return std::string(path.substr(0, path.rfind('.')));
}

std::vector<Finding> findings(const Bench& bench) {
  std::vector<Finding> out = {answer(bench)};
  const auto accused = [](const Judgement& j) { return accuses(*j.verdict); };
  for (const auto& [key, group] : groups_of(bench, accused, true)) out.push_back(accusation(bench, key, group));
  if (auto found = conflicts(bench)) out.push_back(*std::move(found));
  if (auto note = unverifiable(bench)) out.push_back(*std::move(note));
  for (Finding& note : unlike_declared(bench)) out.push_back(std::move(note));
  if (auto note = equal_runs(bench)) out.push_back(*std::move(note));
  return out;
}

Table label_table(const Bench& bench) {
  TableRows<std::string, std::string, std::string, std::string, double, std::string, std::string> rows;
  each_judged(bench, [&](std::size_t r, std::size_t l, const Judgement& j) {
    rows.add(file_name(bench.view().path(r)), bench.name(l), bench.text(r, l), bench.stated_by(r, l),
             j.trace.value_or(std::numeric_limits<double>::quiet_NaN()), spoken(*j.verdict), j.reason);
  });
  return rows.table("labels", "What the names say and what the traces show",
                    {{"report"}, {"label"}, {"stated"}, {"stated by"}, {"trace shows", "1"}, {"verdict"}, {"reason"}});
}

}  // namespace assay::labels
