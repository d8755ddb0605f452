#include "difference/folder_sides.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "assay/words.hpp"
#include "files/did_you_mean.hpp"
#include "recognise/profiles.hpp"
#include "runs/run_table.hpp"

namespace assay {
namespace {

/// The entries of these files, with what is read with them.
Catalog part_of(const Catalog& all, const std::set<std::size_t>& files, bool with_sheets) {
  const QuestionCatalog& from = all.questions.front();
  Catalog part;
  std::map<std::size_t, std::size_t> moved;
  const auto move = [&](std::size_t& file) {
    const auto [at, fresh] = moved.emplace(file, part.files.size());
    if (fresh) {
      part.files.push_back(all.files[file]);
      part.facts.push_back(file < all.facts.size() ? all.facts[file] : RunFacts{});
    }
    file = at->second;
  };
  QuestionCatalog& to = part.questions.emplace_back();
  for (CatalogEntry entry : from.entries) {
    if (!files.contains(entry.file)) continue;
    move(entry.file);
    for (std::size_t& joined : entry.counters) move(joined);
    to.entries.push_back(std::move(entry));
  }
  for (FoundSheet sheet : with_sheets ? from.sheets : std::vector<FoundSheet>()) {
    move(sheet.file);
    to.sheets.push_back(std::move(sheet));
  }
  return part;
}

std::string place_of(const std::vector<std::filesystem::path>& places) {
  return places.size() == 1 ? places.front().string() : counted(places.size(), "place");
}

/// Files of one side, and what its runs have in common.
struct FoundSide {
  std::string name;
  RunLabel value;  ///< of the label that tells the sides apart
  std::set<std::size_t> files = {};
};

Error too_few(const std::vector<std::filesystem::path>& places, const Catalog& catalog, const RunTable& runs,
              const std::string& by) {
  const std::size_t profiles = catalog.questions.front().entries.size();
  const std::string what = by.empty() ? "one configuration" : "one value of " + by;
  std::string why = profiles == 1 ? "it is one profile" : runs.sentences.empty() ? "" : runs.sentences.back();
  return Error{fmt::format("'{}' has {}, so there is nothing to compare", place_of(places), what)}
      .at(places.front().string())
      .advise((why.empty() ? "" : why + "; ") + "name both sides: assay compare BEFORE AFTER");
}

}  // namespace

Result<FolderSides> sides_at(const std::vector<std::filesystem::path>& places, const Question& sheets,
                             RunChoice& choice) {
  Result<Catalog> catalog = profiles_at(places, {sheets}, {.any_name = true});
  if (!catalog) return catalog.error();
  const std::size_t equals = choice.by.find('=');
  const std::string first = equals == std::string::npos ? "" : choice.by.substr(equals + 1);
  choice.by.resize(std::min(equals, choice.by.size()));
  const RunTable runs = run_table(*catalog, choice);
  if (runs.choice) return *runs.choice;
  std::map<std::vector<std::pair<std::size_t, std::string>>, FoundSide> found;
  std::set<std::size_t> grouped;
  for (const RunRow& row : runs.rows) {
    std::vector<std::pair<std::size_t, std::string>> key;
    FoundSide side{row.name, row.labels.empty() ? RunLabel{} : row.labels.front()};
    for (const RunLabel& label : row.labels) {
      if (choice.by.empty() || is_field(choice.by, label.name))
        key.emplace_back(label.order, label.name + "=" + label.value);
      if (!choice.by.empty() && is_field(choice.by, label.name)) side = {label.value, label};
    }
    if (choice.by == "role" && !row.role.empty()) {
      key = {{0, row.role}};
      side = {row.role, {"role", row.role}};
    }
    found.try_emplace(std::move(key), std::move(side)).first->second.files.insert(row.file);
    grouped.insert(row.file);
  }
  if (found.size() < 2) return too_few(places, *catalog, runs, choice.by);
  // What is none of a configuration, such as a file that cannot be read, is left out of the first side.
  for (const CatalogEntry& entry : catalog->questions.front().entries) {
    if (!grouped.contains(entry.file)) found.begin()->second.files.insert(entry.file);
  }
  FolderSides out;
  std::set<std::string> names;
  for (auto& [key, side] : found) {
    while (!names.insert(side.name).second) side.name += "'";
    out.label = side.value.name;
    out.values.push_back(side.value.value);
    out.sides.push_back({side.name, side.name, places, part_of(*catalog, side.files, out.sides.empty()),
                         choice.by.empty() ? "" : side.value.name});
  }
  if (first.empty()) return out;
  const auto at = std::ranges::find(out.values, first);
  if (at == out.values.end())
    return Error{fmt::format("--by: no profile has {}={}; the values are {}.", choice.by, first, listed(out.values))}
        .at(first)
        .suggest(did_you_mean(first, out.values));
  std::rotate(out.sides.begin(), out.sides.begin() + (at - out.values.begin()),
              out.sides.begin() + (at - out.values.begin()) + 1);
  std::rotate(out.values.begin(), at, at + 1);
  return out;
}

}  // namespace assay
