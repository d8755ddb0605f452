#include "difference/side_labels.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "catalog/jobs.hpp"
#include "catalog/recorded_run.hpp"
#include "load/report_names.hpp"
#include "propose/names.hpp"

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
  Labels labels{
      {kRecording, recording.generic_string()}, {kBlock, std::string(run->block)}, {kCell, file.path.stem().string()}};
  const auto [at, fresh] = fixed.try_emplace(recording.parent_path(), 0);
  if (fresh) at->second = fixed_blocks(at->first);
  if (at->second > 0) labels[kFixedBlocks] = std::to_string(at->second);
  return labels;
}

/// The labels of each stem that distinguish configurations.
std::map<std::string, Labels> cells_of(const std::set<std::string>& stems) {
  const std::vector<std::string> all(stems.begin(), stems.end());
  const init::NameRules rules = init::rules_of(all);
  std::map<std::string, Labels> cells;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Labels& cell = cells[all[i]];
    for (const init::NameLabel& label : rules.labels) {
      if (label.descriptive || label.rank) continue;
      const auto value = rules.of_stem[i].find(label.name);
      const std::string& text = value == rules.of_stem[i].end() ? label.otherwise : value->second;
      if (!text.empty()) cell[label.name == kSideLabel ? "of_side" : label.name] = text;
    }
    if (rules.labels.empty()) cell["name"] = all[i];
  }
  return cells;
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

/// The configuration of each stem, of profiles that `assay record` did not write; empty if all runs of a side are of
/// one program.
std::map<std::string, Labels> paired_cells(const std::vector<SideProfiles>& sides) {
  std::set<std::string> stems;
  bool several = true;
  for (const SideProfiles& side : sides) {
    std::set<std::string> jobs;
    for (const CatalogEntry& entry : side.catalog.questions.front().entries) {
      const FoundFile& file = file_of(side.catalog, entry);
      stems.insert(stem_of_file(file));
      const std::string_view job = property_text(file, kJobName);
      jobs.insert(job.empty() ? file.name : std::string(job));
    }
    several = several && jobs.size() > 1;
  }
  if (!several) return {};
  const std::map<std::string, Labels> cells = cells_of(stems);
  std::map<Labels, std::size_t> sides_with;
  for (const SideProfiles& side : sides) {
    std::set<Labels> own;
    for (const CatalogEntry& entry : side.catalog.questions.front().entries)
      own.insert(cells.at(stem_of_file(file_of(side.catalog, entry))));
    for (const Labels& cell : own) ++sides_with[cell];
  }
  const auto shared = std::ranges::count_if(sides_with, [&](const auto& of) { return of.second == sides.size(); });
  return shared < 2 ? std::map<std::string, Labels>() : cells;
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

}  // namespace

Catalog catalog_of_sides(std::vector<SideProfiles> sides, Question& question) {
  const RecordedLabels recorded = recorded_labels(sides);
  const std::map<std::string, Labels> cells =
      has_recorded(recorded) ? std::map<std::string, Labels>() : paired_cells(sides);
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
      const FoundFile& file = file_of(side.catalog, entry);
      entry.labels = {labels.value(kSideLabel, side.name)};
      if (!cells.empty()) {
        for (const auto& [name, text] : cells.at(stem_of_file(file))) entry.labels.push_back(labels.value(name, text));
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
