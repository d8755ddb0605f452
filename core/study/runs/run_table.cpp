#include "runs/run_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "assay/detail/text.hpp"
#include "assay/words.hpp"
#include "load/report_names.hpp"
#include "runs/find_runs.hpp"
#include "runs/name_parts.hpp"
#include "runs/run_facts.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::int64_t number_of(const FoundFile& file, std::string_view name, std::int64_t otherwise) {
  return number_in<std::int64_t>(property_text(file, name)).value_or(otherwise);
}

/// Of runs with equal labels that ran different programs. A label that is the whole name is no field of it.
std::string unlike_sentence(const naming::NameRules& rules, const std::vector<std::string>& names) {
  std::vector<std::string> fields;
  for (const naming::NameLabel& label : rules.labels) {
    bool whole = true;
    for (std::size_t f = 0; f < names.size(); ++f) {
      const auto value = rules.of_stem[f].find(label.name);
      whole = whole && value != rules.of_stem[f].end() && value->second == names[f];
    }
    if (!whole && label.values.size() > 1) fields.push_back(label.name);
  }
  if (fields.empty()) return "the names have no field that tells different programs apart";
  return fmt::format("profiles with equal labels ran different kernels; --label FIELD (one of {}) tells them apart",
                     listed(fields));
}

/// The parts of a name between "_", "-", "." and "/" that hold these labels: "vit32x12x768" of gpu0_vit32x12x768_run1.
std::string telling_parts(const naming::NameRules& rules, std::size_t stem, const std::vector<RunLabel>& labels) {
  constexpr std::string_view kBetween = "_-./ ";
  const auto all_known = [&](const std::string& pattern) {
    return std::ranges::all_of(
        labels, [&](const RunLabel& label) { return pattern.find("{" + label.name + "}") != std::string::npos; });
  };
  const auto pattern = std::ranges::find_if(rules.patterns, all_known);
  std::string out;
  for (std::size_t begin = 0; pattern != rules.patterns.end() && begin < pattern->size();) {
    std::size_t end = begin;
    int depth = 0;  // a label may have "_" in its name
    for (; end < pattern->size() && (depth > 0 || kBetween.find((*pattern)[end]) == std::string_view::npos); ++end)
      depth += (*pattern)[end] == '{' ? 1 : (*pattern)[end] == '}' ? -1 : 0;
    std::string part = pattern->substr(begin, end - begin);
    begin = end + 1;
    bool tells = false;
    for (const naming::NameLabel& label : rules.labels) {
      const std::size_t at = part.find("{" + label.name + "}");
      const auto value = rules.of_stem[stem].find(label.name);
      if (at == std::string::npos || value == rules.of_stem[stem].end()) continue;
      tells = tells || std::ranges::find(labels, label.name, &RunLabel::name) != labels.end();
      part.replace(at, label.name.size() + 2, value->second);
    }
    if (tells) out += (out.empty() ? "" : "_") + part;
  }
  return out;
}

/// Configuration, labels and name of each profile of one tool.
std::vector<RunRow> configurations_of(const std::vector<const FoundFile*>& files,
                                      const std::vector<NamedProfile>& profiles, const RunChoice& choice,
                                      RunTable& table, std::vector<std::string>& said) {
  std::vector<std::string> stems;
  for (const FoundFile* file : files) {
    const fs::path named = fs::path(file->name).parent_path() / fs::path(named_path(*file)).filename();
    stems.emplace_back(stem_of(named.generic_string()));
  }
  std::vector<std::string> named = naming::with_telling_folders(stems);
  const auto different = [](const std::vector<std::string>& names) {
    return std::set<std::string>(names.begin(), names.end()).size();
  };
  if (different(named) < different(stems)) named = stems;  // folders of several depths
  naming::NameRules rules = naming::rules_of(named);
  std::vector<RunRow> out(files.size());
  if (rules.of_stem.size() != files.size()) return out;
  if (const Status fields = check_choice(choice, rules); !fields) {
    said.push_back(fields.error().sentence);
    table.choice = fields.error();
  }
  Configurations judged = judge_names(rules, profiles, choice);
  if (judged.unlike) judged.assumed.push_back(unlike_sentence(rules, named));
  said.insert(said.end(), judged.assumed.begin(), judged.assumed.end());
  for (std::size_t f = 0; f < files.size(); ++f) {
    for (const naming::NameLabel& label : rules.labels) {
      const auto value = rules.of_stem[f].find(label.name);
      if (label.descriptive || label.values.size() < 2 || value == rules.of_stem[f].end()) continue;
      std::string& text = out[f].configuration;
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", label.name, value->second);
      const auto order = std::ranges::find(label.values, value->second) - label.values.begin();
      out[f].labels.push_back({label.name, value->second, static_cast<std::size_t>(order)});
    }
    out[f].name = telling_parts(rules, f, out[f].labels);
    if (out[f].name.empty()) out[f].name = out[f].configuration;
  }
  return out;
}

void number_repeats(std::vector<RunRow>& rows) {
  std::map<std::string, std::map<std::size_t, std::int64_t>> runs;  // start by run, by configuration
  for (const RunRow& row : rows) {
    auto& start = runs[row.configuration].try_emplace(row.run, INT64_MAX).first->second;
    if (row.start != kNoTime) start = std::min(start, row.start);
  }
  std::map<std::size_t, std::int64_t> repeat;
  for (const auto& [configuration, starts] : runs) {
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (const auto& [run, start] : starts) order.emplace_back(start, run);
    std::ranges::sort(order);
    for (std::size_t n = 0; n < order.size(); ++n) repeat[order[n].second] = static_cast<std::int64_t>(n + 1);
  }
  for (RunRow& row : rows) row.repeat = repeat[row.run];
}

}  // namespace

std::string runs_sentence(const std::vector<RunRow>& rows) {
  struct Run {
    std::set<std::size_t> files;
    std::set<std::pair<std::string, std::int64_t>> ranks;
    std::int64_t captures = 0, world = -1;
    std::string evidence;
  };
  std::map<std::size_t, Run> runs;
  std::set<std::size_t> files;
  for (const RunRow& row : rows) {
    Run& run = runs[row.run];
    files.insert(row.file);
    run.files.insert(row.file);
    if (row.rank >= 0) run.ranks.emplace(row.role, row.rank);
    run.captures = std::max(run.captures, row.capture);
    run.world = std::max(run.world, row.world);
    if (!row.evidence.empty()) run.evidence = row.evidence;
  }
  if (files.size() == runs.size()) return {};
  std::map<std::pair<std::string, std::string>, std::size_t> kinds;  // with the evidence
  for (const auto& [number, run] : runs) {
    std::string kind = run.ranks.size() > 1    ? counted(run.ranks.size(), "rank")
                       : run.files.size() == 1 ? std::string("one profile")
                                               : counted(run.files.size(), "profile");
    if (run.captures > 1 && run.ranks.size() <= 1) kind = counted(run.files.size(), "capture") + " of one process";
    if (run.captures > 1 && run.ranks.size() > 1) kind += fmt::format(" in {} captures", run.captures);
    const auto here = static_cast<std::int64_t>(run.ranks.size());
    if (run.world > std::max<std::int64_t>(here, 1)) kind += fmt::format(" of {}", run.world);
    ++kinds[{kind, run.ranks.size() > 1 ? fmt::format(" ({})", run.evidence) : std::string()}];
  }
  std::string text = fmt::format("{} are {}", counted(files.size(), "profile"), counted(runs.size(), "run"));
  std::vector<std::pair<std::size_t, std::string>> parts;  // most first
  for (const auto& [kind, count] : kinds) {
    const auto& [what, why] = kind;
    if (kinds.size() == 1) return fmt::format("{} of {}{}{}", text, what, count > 1 ? " each" : "", why);
    parts.emplace_back(count, fmt::format("{} of {}{}", count, what, why));
  }
  std::ranges::stable_sort(parts, std::greater{}, [](const auto& part) { return part.first; });
  for (const auto& part : parts) text += (&part == &parts.front() ? ": " : ", ") + part.second;
  return text;
}

RunTable run_table(const Catalog& catalog, const RunChoice& choice, bool read_alone) {
  const ProfilesByTool by_tool = profiles_by_tool(catalog);
  std::size_t profiles_read = 0;
  for (const auto& [tool, files] : by_tool) profiles_read += files.size();
  const bool alone = profiles_read == 1 && read_alone;
  RunTable table;
  std::vector<std::string> assumed;
  std::size_t first = 1;
  for (const auto& [tool, files] : by_tool) {
    const std::vector<NamedProfile> profiles = named_profiles(catalog, files);
    const std::vector<RunRow> configurations = configurations_of(files, profiles, choice, table, assumed);
    std::vector<RunRow> rows;
    std::size_t count = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const FoundFile& file = *files[i];
      RunRow row = configurations[i];
      row.file = static_cast<std::size_t>(&file - catalog.files.data());
      row.run = first + profiles[i].run;
      count = std::max(count, profiles[i].run + 1);
      row.role = parts_of(stem_of(file.name)).role;
      row.rank = number_of(file, "rank", -1);
      row.world = number_of(file, "world_size", -1);
      row.capture = property_text(file, kJobName).empty() ? 0 : number_of(file, kCaptureName, 0);
      row.evidence = property_text(file, kEvidenceName);
      const RunFacts own = alone ? run_facts_of(file) : RunFacts{};
      const RunFacts* facts = alone ? &own : profiles[i].facts;
      if (facts != nullptr) row.host = facts->host;
      if (facts != nullptr) row.start = facts->time.first;
      if (facts == nullptr || facts->places.empty()) rows.push_back(row);
      for (std::size_t p = 0; facts != nullptr && p < facts->places.size(); ++p) {
        row.process = facts->places[p].pid;
        row.device = facts->places[p].device;
        rows.push_back(row);
      }
    }
    number_repeats(rows);
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
    first += count;
  }
  std::ranges::stable_sort(table.rows, {}, [](const RunRow& row) {
    return std::tuple(row.run, row.rank, row.file, row.process, row.device);
  });
  if (std::string said = runs_sentence(table.rows); !said.empty()) table.sentences.push_back(std::move(said));
  table.sentences.insert(table.sentences.end(), assumed.begin(), assumed.end());
  return table;
}

}  // namespace assay
