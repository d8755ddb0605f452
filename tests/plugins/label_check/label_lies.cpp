#include "label_lies.hpp"

#include <sqlite3.h>
#include <toml++/toml.h>

#include <functional>
#include <stdexcept>

#include "golden/golden_case.hpp"
#include "support/temp_folder.hpp"

namespace assay::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::vector<std::string>> rows_of(const fs::path& database, const std::string& sql) {
  sqlite3* db = nullptr;
  if (sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) {
    sqlite3_close(db);
    throw std::runtime_error("cannot open " + database.string());
  }
  std::vector<std::vector<std::string>> out;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK) {
    while (sqlite3_step(statement) == SQLITE_ROW) {
      std::vector<std::string>& row = out.emplace_back();
      for (int c = 0; c < sqlite3_column_count(statement); ++c) {
        const auto* text = sqlite3_column_text(statement, c);
        row.emplace_back(text == nullptr ? "" : reinterpret_cast<const char*>(text));
      }
    }
  }
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return out;
}

OptionInput option_of(const toml::node& node) {
  if (const auto* list = node.as_array()) {
    std::vector<std::string> texts;
    for (const toml::node& item : *list) texts.push_back(item.value_or(std::string()));
    return texts;
  }
  if (const auto text = node.value_exact<std::string>()) return *text;
  return node.value_or(0.0);
}

std::uint32_t changes_of(const toml::table& label) {
  std::uint32_t out = 0;
  if (const toml::array* list = label["changes"].as_array()) {
    for (const toml::node& item : *list) {
      const std::string word = item.value_or(std::string());
      out |= word == "kernels" ? kChangesKernels : word == "copies" ? kChangesCopies : kChangesSync;
    }
  }
  return out;
}

/// The rules as a TOML with the labels and options that are added.
std::string with_more(const fs::path& rules, const Names& also, const Names& options) {
  std::string text = read_text(rules);
  const auto insert = [&](const std::string& header, const std::string& line) {
    const std::size_t at = text.find(header + "\n");
    if (at == std::string::npos) throw std::runtime_error(rules.string() + " holds no " + header);
    text.insert(at + header.size() + 1, line + "\n");
  };
  for (const auto& [label, value] : also) insert("[labels]", label + " = { default = \"" + value + "\" }");
  for (const auto& [option, value] : options) insert("[analyzers.label_check]", option + " = \"" + value + "\"");
  return text;
}

void read_results(const fs::path& database, HonestRuns& out) {
  std::map<std::string, std::size_t> at;
  for (const auto& row : rows_of(database, "SELECT report FROM reports WHERE role = 'question' ORDER BY report")) {
    at.emplace(row[0], out.runs.size());
    out.runs.push_back({row[0], {}, {}, {}, {}});
  }
  const auto run = [&](const std::string& report) {
    const auto found = at.find(report);
    return found == at.end() ? nullptr : &out.runs[found->second];
  };
  for (const auto& row : rows_of(database, "SELECT report, label, value, origin FROM labels")) {
    HonestRun* r = run(row[0]);
    if (r == nullptr) continue;
    r->labels[row[1]] = row[2];
    if (row[3] == "default") r->by_default.insert(row[1]);
  }
  for (const auto& row : rows_of(database, "SELECT DISTINCT report, name, value FROM attributes")) {
    if (HonestRun* r = run(row[0])) r->attributes[row[1]] = row[2];
  }
  const std::string facts =
      "SELECT report, metric, dims, value FROM facts WHERE metric IN ('graph.launch_count', 'graph.opaque_ratio', "
      "'iteration.count', 'iteration.kernel_count', 'sync.count', 'gpu.overlap_ratio') OR metric LIKE 'label.%'";
  for (const auto& row : rows_of(database, facts)) {
    if (row[1] == "label.verdict" || row[1] == "label.conflict" || row[1] == "label.trace_value") continue;
    if (HonestRun* r = run(row[0])) r->facts.push_back({row[1], row[2], std::stod(row[3])});
  }
}

}  // namespace

HonestRuns measured(const fs::path& rules, const fs::path& reports, const Names& also, const Names& options) {
  const TempFolder scratch;
  const std::string text = with_more(rules, also, options);
  write_text(scratch / "rules.toml", text);
  const Outcome outcome =
      run_assay(scratch.path(), {"run", "rules.toml", "--reports", reports.string(), "-o", "out", "-q"});
  if (outcome.exit != 0) throw std::runtime_error("assay run: " + outcome.err);
  HonestRuns out;
  const toml::table parsed = toml::parse(text);
  for (const auto& [key, node] : *parsed["labels"].as_table()) {
    const toml::table* label = node.as_table();
    if (label == nullptr) continue;
    out.labels.push_back({std::string(key.str()), (*label)["type"].value_or(std::string()) == "int",
                          (*label)["descriptive"].value_or(false), changes_of(*label)});
  }
  for (const auto& [key, node] : *parsed["analyzers"]["label_check"].as_table()) {
    out.rules.emplace_back(std::string(key.str()), option_of(node));
  }
  read_results(scratch / "out/results.sqlite", out);
  return out;
}

std::vector<Names> true_names(const HonestRuns& honest) {
  std::vector<Names> out;
  for (const HonestRun& run : honest.runs) out.push_back(run.labels);
  return out;
}

namespace {

std::vector<LabelJudgement> judged_without(const HonestRuns& honest, const std::vector<Names>& names,
                                           const std::set<std::size_t>& absent) {
  StudyBuilder s;
  for (const DeclaredLabel& label : honest.labels) {
    if (label.descriptive) {
      s.descriptive_label(label.name);
    } else {
      s.label(label.name, label.numeric ? StudyBuilder::kNumeric : StudyBuilder::kText, label.changes);
    }
  }
  for (std::size_t r = 0; r < honest.runs.size(); ++r) {
    if (absent.contains(r)) continue;
    const HonestRun& run = honest.runs[r];
    auto& report = s.report(run.path, {names[r].begin(), names[r].end()});
    for (const auto& [label, value] : names[r]) {
      const auto known = run.labels.find(label);
      if (run.by_default.contains(label) && known != run.labels.end() && known->second == value)
        report.origin(label, LabelOrigin::kDefault);
    }
    for (const auto& [name, value] : run.attributes) report.attribute(name, value);
    for (const auto& fact : run.facts) report.fact(fact.metric, fact.value, fact.dims);
  }
  const Recorder recorder = under_test::label_check::concluded(s.build(), honest.rules);
  std::map<::assay::Row, std::size_t> at;
  for (std::size_t r = 0; r < honest.runs.size(); ++r) {
    if (!absent.contains(r)) at[static_cast<::assay::Row>(s.row(honest.runs[r].path))] = r;
  }
  std::vector<LabelJudgement> out(honest.runs.size());
  for (const auto& fact : recorder.facts) {
    const auto found = at.find(fact.report);
    if (found == at.end() || !fact.dims.starts_with("label=")) continue;
    LabelJudgement& own = out[found->second];
    const std::string label = fact.dims.substr(6, fact.dims.find(';') - 6);
    if (fact.metric == "label.conflict") own.disputed.insert(label);
    if (fact.metric == "label.trace_value") own.values[label] = fact.value;
    if (fact.metric == "label.verdict" &&
        (fact.dims.ends_with("=contradicted") || fact.dims.ends_with("=not_borne_out")))
      own.accused.insert(label);
  }
  return out;
}

std::set<std::string> wrong_labels(const Names& stated, const Names& real) {
  std::set<std::string> out;
  for (const auto& [label, value] : stated) {
    const auto own = real.find(label);
    if (own == real.end() || own->second != value) out.insert(label);
  }
  return out;
}

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  for (const std::string& label : a) {
    if (b.contains(label)) return true;
  }
  return false;
}

}  // namespace

std::vector<LabelJudgement> judged(const HonestRuns& honest, const std::vector<Names>& names) {
  return judged_without(honest, names, {});
}

void plant(const HonestRuns& honest, const Lie& lie, Tally& tally) {
  const std::vector<LabelJudgement> all = judged_without(honest, lie.names, lie.absent);
  bool found = false, named = false, honest_label = false, honest_run = false, wrong_value = false;
  for (std::size_t r = 0; r < all.size(); ++r) {
    const LabelJudgement& own = all[r];
    if (!lie.liars.contains(r)) {
      honest_run = honest_run || !own.accused.empty() || !own.disputed.empty();
      continue;
    }
    const std::set<std::string> wrong = wrong_labels(lie.names[r], honest.runs[r].labels);
    found = found || meet(wrong, own.accused) || meet(wrong, own.disputed);
    named = named || meet(wrong, own.accused);
    for (const std::string& label : own.accused) {
      if (wrong.contains(label)) continue;
      honest_label = true;
      tally.example = label + " of " + honest.runs[r].path + " as";
      for (const auto& [other, value] : lie.names[r]) tally.example += " " + other + "=" + value;
    }
    for (const std::string& label : wrong) {
      const auto value = own.values.find(label);
      const auto real = honest.runs[r].labels.find(label);
      wrong_value = wrong_value || (value != own.values.end() && real != honest.runs[r].labels.end() &&
                                    own.accused.contains(label) && value->second != std::stod(real->second));
    }
  }
  ++tally.planted;
  tally.found += found ? 1U : 0U;
  tally.named += named ? 1U : 0U;
  tally.honest_label += honest_label ? 1U : 0U;
  tally.honest_run += honest_run ? 1U : 0U;
  tally.wrong_value += wrong_value ? 1U : 0U;
}

}  // namespace assay::testing
