#include "algo/nsys/recipes.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

namespace assay {

std::vector<ColumnId> AskedNsysRecipe::columns() const {
  std::vector<ColumnId> all = report.columns();
  if (recipe->kind != NsysRecipeKind::kPooled) all.push_back(col::properties);
  return all;
}

std::optional<AskedNsysRecipe> find_nsys_recipe(std::string_view text) {
  const auto* at = std::find_if(std::begin(kNsysRecipes), std::end(kNsysRecipes), [&](const NsysRecipe& recipe) {
    return recipe.name == text.substr(0, text.find(':'));
  });
  if (at == std::end(kNsysRecipes)) return std::nullopt;
  const bool as_asked = at->kind == NsysRecipeKind::kPooled;
  if (!as_asked && text != at->name) return std::nullopt;
  const std::optional<AskedNsysReport> report = find_nsys_report(as_asked ? text : at->report);
  if (!report) return std::nullopt;
  return AskedNsysRecipe{text, at, *report};
}

}  // namespace assay
