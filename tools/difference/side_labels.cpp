#include "difference/side_labels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "assay/words.hpp"
#include "catalog/recorded_run.hpp"
#include "load/report_names.hpp"
#include "runs/configurations.hpp"
#include "runs/find_runs.hpp"
#include "runs/names.hpp"
#include "runs/run_facts.hpp"

namespace assay {
namespace {
namespace fs = std::filesystem;
using Labels = std::map<std::string, std::string>;

constexpr const char* kSideLabel = "side";
constexpr const char* kRecording = "recording";
constexpr const char* kBlock = "block";
constexpr const char* kCell = "cell";
constexpr const char* kFixedBlocks = "fixed_blocks";

const FoundFile& file_of(const Catalog& catalog, const CatalogEntry& entry) { return catalog.files[entry.file]; }

std::string stem_of_file(const FoundFile& file) {
  const fs::path place(file.name);
  return (place.parent_path() / stem_of(place.filename().native())).generic_string();
}

/// Recording, block and cell of a report that `assay record` wrote; empty for others. `fixed`: fixed_blocks of the
/// recordings seen so far, since each reads a journal.
Labels recorded_labels(const FoundFile& file, std::map<fs::path, std::size_t>& fixed) {
  const fs::path reports = recorded_reports(file.path);
  if (reports.empty()) return {};
  const std::string below = file.path.lexically_relative(reports).generic_string();
  const auto run = recorded_run(below);
  if (!run) return {};
  std::error_code failed;
  const fs::path recording = fs::weakly_canonical(reports, failed);
  Labels labels{{kRecording, recording.generic_string()},
                {kBlock, std::string(run->block)},
                {kCell, fs::path(named_path(file)).stem().string()}};
  const auto [at, fresh] = fixed.try_emplace(recording.parent_path(), 0);
  if (fresh) at->second = fixed_blocks(at->first);
  if (at->second > 0) labels[kFixedBlocks] = std::to_string(at->second);
  return labels;
}

/// recorded_labels of each profile, by side: read from disk, so once.
using RecordedLabels = std::vector<std::vector<Labels>>;

RecordedLabels recorded_labels(const std::vector<SideProfiles>& sides) {
  RecordedLabels recorded;
  std::map<fs::path, std::size_t> fixed;
  for (const SideProfiles& side : sides) {
    std::vector<Labels>& own = recorded.emplace_back();
    for (const CatalogEntry& entry : side.catalog.questions.front().entries)
      own.push_back(recorded_labels(file_of(side.catalog, entry), fixed));
  }
  return recorded;
}

bool has_recorded(const RecordedLabels& recorded) {
  return std::ranges::any_of(recorded, [](const std::vector<Labels>& side) {
    return std::ranges::any_of(side, [](const Labels& labels) { return !labels.empty(); });
  });
}

/// Where one process recorded all sides in turns, in whichever order, a capture of each is a block, and no run of its
/// own; says so.
void add_blocks_of_one_process(std::vector<SideProfiles>& sides, RecordedLabels& recorded,
                               std::vector<std::string>& said) {
  struct Capture {
    std::int64_t first_id;
    std::size_t side, entry;
  };
  std::vector<Capture> captures;
  std::set<std::vector<std::int64_t>> pids;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const Catalog& catalog = sides[s].catalog;
    for (std::size_t e = 0; e < catalog.questions.front().entries.size(); ++e) {
      const std::size_t f = catalog.questions.front().entries[e].file;
      const RunFacts facts = f < catalog.facts.size() ? catalog.facts[f] : RunFacts{};
      captures.push_back({facts.correlations.first, s, e});
      pids.insert(pids_of(facts));
    }
  }
  std::ranges::sort(captures, {}, &Capture::first_id);
  const std::size_t k = sides.size();
  bool in_turns = std::ranges::adjacent_find(captures, {}, &Capture::first_id) == captures.end();
  for (std::size_t begin = 0; begin < captures.size(); begin += k) {
    std::set<std::size_t> turn;
    for (std::size_t c = begin; c < std::min(begin + k, captures.size()); ++c)
      in_turns &= turn.insert(captures[c].side).second;
  }
  if (pids.size() != 1 || pids.begin()->empty() || !in_turns || captures.size() < 2 * k) return;
  for (std::size_t c = 0; c < captures.size(); ++c) {
    const auto& [id, s, e] = captures[c];
    recorded[s][e] = {{kRecording, "process " + std::to_string(pids.begin()->front())},
                      {kBlock, std::to_string(c / k + 1)},
                      {kCell, "process"},
                      {kFixedBlocks, std::to_string((captures.size() + k - 1) / k)}};
    Catalog& catalog = sides[s].catalog;
    std::erase_if(catalog.files[catalog.questions.front().entries[e].file].environment,
                  [](const auto& said_of_file) { return said_of_file.first == kJobName; });
  }
  said.push_back(fmt::format("{} of one process, compared within them: what is found holds for this process",
                             counted((captures.size() + k - 1) / k, "block")));
}

/// Labels of each profile that distinguish configurations, by side.
using SideCells = std::vector<std::vector<Labels>>;

Result<SideCells> cells_of(const std::vector<SideProfiles>& sides, const RunChoice& choice, Configurations& said) {
  std::vector<std::string> stems;
  std::vector<NamedProfile> profiles;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    std::vector<const FoundFile*> files;
    for (const CatalogEntry& entry : sides[s].catalog.questions.front().entries) {
      files.push_back(&file_of(sides[s].catalog, entry));
      stems.push_back(stem_of_file(*files.back()));
    }
    const std::vector<NamedProfile> own = named_profiles(sides[s].catalog, files, stems.size(), s);
    profiles.insert(profiles.end(), own.begin(), own.end());
  }
  const std::set<std::string> unique(stems.begin(), stems.end());
  const std::vector<std::string> all(unique.begin(), unique.end());
  naming::NameRules rules = naming::rules_of(all), of_files = rules;
  of_files.of_stem.clear();
  for (const std::string& stem : stems)
    of_files.of_stem.push_back(
        rules.of_stem[static_cast<std::size_t>(std::ranges::lower_bound(all, stem) - all.begin())]);
  if (const Status fields = check_choice(choice, rules); !fields) return fields.error();
  said = judge_names(of_files, profiles, choice);
  SideCells cells(sides.size());
  for (std::size_t f = 0; f < profiles.size(); ++f) {
    Labels& cell = cells[profiles[f].side].emplace_back();
    for (const naming::NameLabel& label : of_files.labels) {
      if (label.descriptive || label.rank || label.name == sides[profiles[f].side].label) continue;
      const auto value = of_files.of_stem[f].find(label.name);
      const std::string& text = value == of_files.of_stem[f].end() ? label.otherwise : value->second;
      if (!text.empty()) cell[label.name == kSideLabel ? "of_side" : label.name] = text;
    }
    if (of_files.labels.empty()) cell["name"] = stems[f];
  }
  return cells;
}

/// The configuration of each profile, of profiles that `assay record` did not write; empty if all runs of a side are of
/// one configuration, or the sides have fewer than two in common.
Result<SideCells> paired_cells(const std::vector<SideProfiles>& sides, const RunChoice& choice, Configurations& said) {
  const Result<SideCells> found = cells_of(sides, choice, said);
  if (!found) return found.error();
  const SideCells& cells = *found;
  std::map<Labels, std::size_t> sides_with;
  for (const std::vector<Labels>& side : cells) {
    for (const Labels& cell : std::set<Labels>(side.begin(), side.end())) ++sides_with[cell];
  }
  const auto shared = std::ranges::count_if(sides_with, [&](const auto& of) { return of.second == sides.size(); });
  return shared < 2 ? SideCells(sides.size()) : cells;
}

/// Whether recordings of a side have several cells.
bool have_several_cells(const RecordedLabels& recorded) {
  return std::ranges::any_of(recorded, [](const std::vector<Labels>& side) {
    std::set<std::string> cells;
    for (const Labels& labels : side) {
      if (!labels.empty()) cells.insert(labels.at(kCell));
    }
    return cells.size() > 1;
  });
}

/// Declares labels on first use; values are ordered likewise.
class LabelList {
 public:
  explicit LabelList(LabelRules& rules) : rules_(rules) {}

  LabelOfReport value(const std::string& name, const std::string& text, bool descriptive = false) {
    auto at = std::ranges::find(rules_.labels, name, &LabelSpec::name);
    if (at == rules_.labels.end()) {
      at = rules_.labels.emplace(rules_.labels.end());
      at->name = name;
      at->descriptive = descriptive;
    }
    std::vector<std::string>& texts = texts_[name];
    auto known = std::ranges::find(texts, text);
    if (known == texts.end()) known = texts.insert(texts.end(), text);
    return {static_cast<std::size_t>(at - rules_.labels.begin()), text, static_cast<double>(known - texts.begin()),
            LabelOrigin::kName};
  }

 private:
  LabelRules& rules_;
  std::map<std::string, std::vector<std::string>> texts_;
};

/// Moves the files of a side, under unique names.
void add_files(SideProfiles& side, Catalog& to) {
  std::set<std::string> names;
  for (const FoundFile& file : to.files) names.insert(file.name);
  for (FoundFile& file : side.catalog.files) {
    if (names.contains(file.name)) file.name = file.path.string();
    for (int copy = 2; !names.insert(file.name).second; ++copy)
      file.name = file.path.string() + "~" + std::to_string(copy);
    for (auto& [name, value] : file.environment) {
      if (name == kJobName) value = side.name + "/" + value;
    }
    to.files.push_back(std::move(file));
  }
}

/// Error if runs of one configuration and side ran different programs.
Status check_programs(const std::vector<SideProfiles>& sides, const SideCells& cells) {
  for (std::size_t s = 0; s < sides.size(); ++s) {
    std::map<std::pair<Labels, std::string_view>, std::vector<const FoundFile*>> alike;
    const std::vector<CatalogEntry>& entries = sides[s].catalog.questions.front().entries;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const FoundFile& file = file_of(sides[s].catalog, entries[e]);
      alike[{cells[s].empty() ? Labels() : cells[s][e], file.kind.word}].push_back(&file);
    }
    for (const auto& [cell, files] : alike) {
      const Status one = check_one_program(named_profiles(sides[s].catalog, files), files);
      if (!one) return one.error().in(sides[s].option + ": ");
    }
  }
  return ok();
}

}  // namespace

Result<Catalog> catalog_of_sides(std::vector<SideProfiles> sides, Question& question, const RunChoice& choice,
                                 std::vector<std::string>& assumed) {
  RecordedLabels recorded = recorded_labels(sides);
  std::vector<std::string> blocks;
  if (!has_recorded(recorded)) add_blocks_of_one_process(sides, recorded, blocks);
  Configurations said;
  const Result<SideCells> paired = has_recorded(recorded) ? SideCells(sides.size()) : paired_cells(sides, choice, said);
  if (!paired) return paired.error();
  const SideCells& cells = *paired;
  assumed.insert(assumed.end(), said.assumed.begin(), said.assumed.end());
  assumed.insert(assumed.end(), blocks.begin(), blocks.end());
  if (const Status sound = has_recorded(recorded) ? ok() : check_programs(sides, cells); !sound) return sound.error();
  const bool several_cells = have_several_cells(recorded);
  LabelList labels(question.labels);
  Catalog all;
  QuestionCatalog& found = all.questions.emplace_back();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    SideProfiles& side = sides[s];
    const std::size_t first = all.files.size();
    QuestionCatalog& own = side.catalog.questions.front();
    for (std::size_t e = 0; e < own.entries.size(); ++e) {
      CatalogEntry& entry = own.entries[e];
      entry.labels = {labels.value(kSideLabel, side.name)};
      if (!cells[s].empty()) {
        for (const auto& [name, text] : cells[s][e]) entry.labels.push_back(labels.value(name, text));
      }
      for (const auto& [name, text] : recorded[s][e])
        entry.labels.push_back(labels.value(name, text, name != kCell || !several_cells));
      std::ranges::sort(entry.labels, {}, &LabelOfReport::label);
      entry.file += first;
      for (std::size_t& joined : entry.counters) joined += first;
      found.entries.push_back(std::move(entry));
    }
    for (FoundSheet& sheet : own.sheets) {
      sheet.file += first;
      found.sheets.push_back(std::move(sheet));
    }
    add_files(side, all);
  }
  return all;
}

}  // namespace assay
