#include "config/question_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "config/analyzer_section.hpp"
#include "config/built_in_labels.hpp"
#include "config/iteration_names.hpp"
#include "config/label_section.hpp"
#include "config/other_sections.hpp"
#include "config/runner_section.hpp"
#include "config/section.hpp"
#include "config/toml_text.hpp"
#include "config/version.hpp"
#include "files/did_you_mean.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

SheetSpec read_sheet_spec(Section& section, const LabelRules& rules) {
  SheetSpec sheet;
  sheet.pos = section.pos();
  sheet.id = section.required_text("id");
  if (sheet.id == kRunnerSheet) {
    refuse(section.pos("id"), "[[sheet]] id is '" + sheet.id + "', which assay itself uses for results.json",
           "use another id.");
  }
  sheet.files = section.texts("files");
  if (sheet.files.empty()) {
    refuse(sheet.pos, "[[sheet]] " + sheet.id + " names no files", "add files = [\"results.json\"] or another glob.");
  }
  sheet.patterns = section.texts("patterns");
  check_patterns(rules, sheet.patterns, section.pos("patterns"));
  sheet.time = section.text("time").value_or("");
  section.finish();
  return sheet;
}

/// `rules` are those of the question's reports; names of sheets may contain the same labels.
std::vector<SheetSpec> read_sheet_specs(std::vector<Section> sections, const LabelRules& rules) {
  std::vector<SheetSpec> sheets;
  for (Section& section : sections) {
    SheetSpec sheet = read_sheet_spec(section, rules);
    const bool twice =
        std::any_of(sheets.begin(), sheets.end(), [&](const SheetSpec& other) { return other.id == sheet.id; });
    if (twice) refuse(sheet.pos, "the sheet '" + sheet.id + "' is used twice", "ids are unique.");
    sheets.push_back(std::move(sheet));
  }
  return sheets;
}

namespace fs = std::filesystem;

/// Folders are relative to that of `file`, and must exist.
PluginsSpec read_plugins_spec(Section section, const fs::path& file) {
  PluginsSpec spec;
  for (const std::string& name : section.texts("folders")) {
    const fs::path folder = file.parent_path() / name;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
      refuse(section.pos("folders"),
             fmt::format("[plugins] folders names '{}', but '{}' is not a folder", name, folder.string()),
             "paths start at the folder of this file.");
    }
    spec.folders.push_back(folder);
  }
  if (auto versions = section.table("requires")) {
    for (const Section::Entry& entry : versions->rest()) {
      const auto* text = entry.node->as_string();
      const std::optional<Version> least = text == nullptr ? std::nullopt : read_version(text->get());
      if (!least) {
        refuse(entry.pos, "[plugins] requires " + entry.key + " is not a version",
               "expected the oldest one that works, such as \"1.2\" or \"1.2.3\".");
      }
      spec.required.push_back({entry.key, text->get(), entry.pos});
    }
  }
  section.finish();
  return spec;
}

/// `rules` are those of the question's reports; names of the files may contain the same labels.
std::vector<JoinSpec> read_join_specs(std::vector<Section> sections, const LabelRules& rules) {
  std::vector<JoinSpec> joins;
  for (Section& section : sections) {
    JoinSpec& join = joins.emplace_back();
    join.pos = section.pos();
    join.files = section.texts("files");
    if (join.files.empty()) {
      refuse(join.pos, "[[join]] names no files", "add files = [\"*_counters.csv\"] or another glob.");
    }
    join.reports = section.texts("reports");
    join.patterns = section.texts("patterns");
    check_patterns(rules, join.patterns, section.pos("patterns"));
    section.finish();
  }
  return joins;
}

void read_question_section(Section section, Question& question) {
  question.id = section.required_text("id");
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!std::all_of(question.id.begin(), question.id.end(), fits)) {
    refuse(section.pos("id"), "[question] id is '" + question.id + "'",
           "an id has only lowercase letters, digits and '_'.");
  }
  question.title = section.text("title").value_or(question.id);
  question.text = section.text("text").value_or(question.title);
  question.note = section.text("note").value_or("");
  question.answered_by = section.texts("answered_by");
  question.answered_by_pos = section.pos("answered_by");
  question.level = section.number("level").value_or(question.level);
  if (!(question.level >= 0.5 && question.level < 1)) {
    refuse(section.pos("level"), "[question] level is the confidence level of every interval",
           "expected a number from 0.5 to below 1, such as 0.95.");
  }
  question.across = section.texts("across");
  const std::vector<std::string> known(kBuiltInLabels.begin(), kBuiltInLabels.end());
  for (const std::string& name : question.across) {
    if (is_built_in_label(name)) continue;
    refuse(section.pos("across"), "[question] across holds '" + name + "'",
           "expected \"device\", \"clock\", \"driver\" or \"format\", which profiles record themselves.",
           did_you_mean(name, known));
  }
  section.finish();
}

ReportSelection read_reports(Section section) {
  ReportSelection reports;
  reports.folder = section.text("folder").value_or("");
  reports.include = section.texts("include");
  reports.exclude = section.texts("exclude");
  section.finish();
  return reports;
}

WindowSpec read_window(Section section) {
  WindowSpec window;
  window.nvtx = section.required_text("nvtx");
  const std::string mode = section.text("mode").value_or("projected");
  if (mode == "host") {
    window.mode = WindowMode::kHost;
  } else if (mode != "projected") {
    refuse(section.pos("mode"), "[window] mode is '" + mode + "'", "expected \"projected\" or \"host\".");
  }
  if (const auto fallback = section.text("fallback")) {
    if (*fallback != "capture") {
      refuse(section.pos("fallback"), "[window] fallback is '" + *fallback + "'",
             "expected \"capture\", or no such key.");
    }
    window.fallback_capture = true;
  }
  section.finish();
  return window;
}

IterationSpec read_iterations(Section section) {
  IterationSpec iterations;
  iterations.nvtx = section.one_or_more_texts("nvtx");
  for (const std::string& name : iterations.nvtx) {
    if (names_iterations(name)) continue;
    refuse(section.pos("nvtx"), "[iterations] nvtx is '" + name + "'", "expected " + std::string(kIterationName) + ".");
  }
  section.finish();
  return iterations;
}

std::vector<SourceSpec> read_sources(Section section) {
  std::vector<SourceSpec> sources;
  for (const Section::Entry& entry : section.rest()) {
    if (entry.key.find_first_of(" \t,:") != std::string::npos) {
      refuse(entry.pos, "[sources] defines '" + entry.key + "'",
             "expected one word without ',' and ':' that claims can name as their source.");
    }
    const auto* text = entry.node->as_string();
    if (text == nullptr || text->get().empty()) {
      refuse(
          entry.pos,
          fmt::format("[sources] {} is {}", entry.key, std::string(text == nullptr ? kind_of(*entry.node) : "empty")),
          "write the full name, such as \"reproduction guide\".");
    }
    sources.push_back({entry.key, text->get()});
  }
  return sources;
}

/// Abbreviations in front of a remark in a claim's source: "R" and "E" of "R, E: measured once". A text with blanks is
/// not an abbreviation.
std::vector<std::string> abbreviations(std::string_view source) {
  std::vector<std::string> words;
  for (std::string_view rest = source.substr(0, source.find(':')); !rest.empty();) {
    std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    word.remove_prefix(std::min(word.size(), word.find_first_not_of(' ')));
    word = word.substr(0, word.find_last_not_of(' ') + 1);
    if (!word.empty() && word.find(' ') == std::string_view::npos) words.emplace_back(word);
  }
  return words;
}

/// If there is [sources], it must define every abbreviation of claims; else a reader is left with a letter.
void check_sources(const Question& question) {
  if (question.sources.empty()) return;
  std::vector<std::string> known;
  for (const SourceSpec& source : question.sources) known.push_back(source.id);
  for (const ClaimConfig& claim : question.claims) {
    for (const std::string& word : abbreviations(claim.source)) {
      if (std::find(known.begin(), known.end(), word) != known.end()) continue;
      refuse(claim.source_pos,
             fmt::format("the claim '{}' has the source '{}', which [sources] does not define", claim.id, word),
             "add " + word + " = \"...\" there.", did_you_mean(word, known));
    }
  }
}

std::vector<ClaimConfig> read_claims(std::vector<Section> sections) {
  std::vector<ClaimConfig> claims;
  std::unordered_set<std::string> ids;
  for (Section& section : sections) {
    ClaimConfig claim;
    claim.pos = section.pos();
    claim.id = section.required_text("id");
    claim.text = section.required_text("text");
    claim.source = section.text("source").value_or("");
    claim.source_pos = section.pos("source");
    claim.keys = read_options(section);
    if (!ids.insert(claim.id).second)
      refuse(section.pos("id"), "the claim '" + claim.id + "' is used twice", "ids are unique within a question.");
    claims.push_back(std::move(claim));
  }
  return claims;
}

/// One [[metric]] as texts for the option of its name of the analyzer `sql` (metrics/metrics.hpp).
RawOption read_metric(Section section) {
  const std::string id = section.required_text("id");
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; };
  if (id.empty() || id.front() == '.' || id.back() == '.' || id.find("..") != std::string::npos ||
      !std::all_of(id.begin(), id.end(), fits)) {
    refuse(section.pos("id"), "[[metric]] id is '" + id + "'",
           "expected a dotted lower-case name such as 'kernel.gemm_ns'.");
  }
  const std::string unit = section.required_text("unit");
  if (unit.empty()) refuse(section.pos("unit"), "[[metric]] unit is empty", "a count has the unit \"1\".");
  const std::string polarity = section.text("polarity").value_or("neutral");
  if (polarity != "neutral" && polarity != "higher" && polarity != "lower") {
    refuse(section.pos("polarity"), "[[metric]] polarity is '" + polarity + "'",
           "expected which is better, \"higher\" or \"lower\", or \"neutral\".");
  }
  const bool extensive = section.boolean("extensive").value_or(false);
  const std::string title = section.text("title").value_or("");
  std::string option = id;
  std::replace(option.begin(), option.end(), '.', '-');  // option keys have no dots
  RawOption made{option,
                 {std::vector<std::string>{id, unit, polarity, extensive ? "true" : "false", title,
                                           section.required_text("definition"), section.required_text("sql")},
                  section.pos()}};
  section.finish();
  return made;
}

/// Each [[metric]] enables the analyzer `sql`, which measures it.
void read_metrics(std::vector<Section> sections, std::vector<AnalyzerConfig>& analyzers) {
  if (sections.empty()) return;
  auto sql = std::find_if(analyzers.begin(), analyzers.end(), [](const auto& a) { return a.id == "sql"; });
  if (sql == analyzers.end()) sql = analyzers.insert(sql, {"sql", {}, sections.front().pos()});
  std::vector<std::string> names;
  std::unordered_set<std::string> ids;
  for (Section& section : sections) {
    RawOption metric = read_metric(section);
    if (!ids.insert(metric.name).second)
      refuse(section.pos("id"), "this [[metric]] has the id of an earlier one", "ids are unique.");
    names.push_back(metric.name);
    sql->options.push_back(std::move(metric));
  }
  sql->options.push_back({"metrics", {std::move(names), sections.front().pos()}});
}

/// Every [[operator]] is a formula of operator_roofline, which they enable: 'name | FLOPs | bytes', as in its option
/// own_formulas.
void read_operators(std::vector<Section> sections, std::vector<AnalyzerConfig>& analyzers) {
  if (sections.empty()) return;
  constexpr const char *kAnalyzer = "operator_roofline", *kOption = "own_formulas";
  std::vector<std::string> formulas;
  for (Section& section : sections) {
    const std::string name = section.required_text("name");
    const std::string flops = section.required_text("flops"), bytes = section.required_text("bytes");
    for (const std::string& text : {name, flops, bytes}) {
      if (text.empty() || text.find('|') != std::string::npos)
        refuse(section.pos(), "an [[operator]] has a name, flops and bytes, none of them empty or with a '|' in it.");
    }
    const bool matrix = section.boolean("matrix").value_or(false);
    formulas.push_back(fmt::format("{} | {} | {}{}", name, flops, bytes, matrix ? " | matrix" : ""));
    section.finish();
  }
  auto roofline = std::find_if(analyzers.begin(), analyzers.end(), [&](const auto& a) { return a.id == kAnalyzer; });
  if (roofline == analyzers.end()) roofline = analyzers.insert(roofline, {kAnalyzer, {}, sections.front().pos()});
  auto& options = roofline->options;
  const auto given =
      std::find_if(options.begin(), options.end(), [&](const RawOption& o) { return o.name == kOption; });
  if (given != options.end())
    refuse(sections.front().pos(), "formulas are given both in [[operator]] and in own_formulas of operator_roofline",
           "put them in one of the two.");
  options.push_back({kOption, {std::move(formulas), sections.front().pos()}});
}

Question read_question(Section& root, const fs::path& file) {
  Question question;
  question.file = file;
  if (auto s = root.table("question")) read_question_section(std::move(*s), question);
  if (auto s = root.table("reports")) question.reports = read_reports(std::move(*s));
  if (auto s = root.table("noise")) {
    question.noise_reports = s->texts("reports");
    s->finish();
  }
  if (auto s = root.table("window")) question.window = read_window(std::move(*s));
  if (auto s = root.table("iterations")) question.iterations = read_iterations(std::move(*s));
  if (auto s = root.table("labels")) question.labels = read_labels(*s);
  question.matrix = read_matrix(root.tables("matrix"), question.labels);
  question.sheets = read_sheet_specs(root.tables("sheet"), question.labels);
  question.joins = read_join_specs(root.tables("join"), question.labels);
  if (auto s = root.table("results")) question.runner = read_runner_spec(std::move(*s), question.labels);
  if (auto s = root.table("plugins")) question.plugins = read_plugins_spec(std::move(*s), file);
  if (auto s = root.table("analyzers")) question.analyzers = read_analyzers(std::move(*s), file);
  constexpr const char* kServing = "serving";
  if (auto s = root.table(kServing)) read_named_section(kServing, std::move(*s), file, question.analyzers);
  read_metrics(root.tables("metric"), question.analyzers);
  read_operators(root.tables("operator"), question.analyzers);
  if (auto s = root.table("sources")) question.sources = read_sources(std::move(*s));
  question.claims = read_claims(root.tables("claim"));
  check_sources(question);
  if (auto s = root.table("experiment")) check_experiment(std::move(*s), question);
  root.finish();
  return question;
}

StudyFile read_study(Section& root, const fs::path& file) {
  StudyFile study;
  Section section = *root.table("study");
  study.title = section.text("title").value_or("");
  for (const std::string& config : section.texts("configs")) {
    study.configs.push_back(file.parent_path() / config);
    study.pos.push_back(section.pos("configs"));
  }
  if (study.configs.empty())
    refuse(section.pos("configs"), "[study] names no configs", "add configs = [\"rq1.toml\", ...].");
  section.finish();
  root.finish();
  return study;
}

ConfigFile read_root(const toml::table& table, const fs::path& file) {
  Section root(table, "", {file.string(), 1, 1});
  const bool question = table.contains("question"), study = table.contains("study");
  if (question && study) {
    refuse(root.pos("study"), "a file is either a [question] or a [study]", "put one of them into a file of its own.");
  }
  if (study) return read_study(root, file);
  if (question) return read_question(root, file);
  const std::string known[] = {"question", "study"};
  std::string guess;
  for (const Section::Entry& entry : root.rest()) guess += guess.empty() ? did_you_mean(entry.key, known) : "";
  refuse(root.pos(), "this file has neither [question] nor [study]", "see configs/README.md.", guess);
}

template <class Parse>
Result<ConfigFile> read_parsed(const Parse& parse, const fs::path& file) {
  try {
    return read_root(parse(), file);
  } catch (const ConfigMistake& mistake) {
    return mistake.error();
  }
}

}  // namespace

Result<ConfigFile> read_config_file(const fs::path& file) {
  return read_parsed([&] { return parse_toml(file); }, file);
}

Result<ConfigFile> read_config_text(std::string_view toml, const fs::path& file) {
  return read_parsed([&] { return parse_toml_text(toml, file); }, file);
}

}  // namespace assay
