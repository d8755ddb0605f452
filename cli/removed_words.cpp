#include "cli/removed_words.hpp"

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

struct RemovedWord {
  std::string_view word, instead;
};
constexpr RemovedWord kRemoved[] = {
    {"explain", "'assay describe NAME' says what a metric, an analyzer or a verdict means"},
    {"gate", "'assay merge PARTS --gate' gates a merged result, --gate of run, compare and history theirs"},
    {"--policy",
     "--gate fails on refuted claims alone; take a claim out of the question, or read findings.json, for more"},
    {"--annotations=gitlab", "GitLab reads the report of junit"},
    {"--xlsx", "facts_wide.csv and facts.csv open in every spreadsheet"},
};

}  // namespace

std::string_view instead_of(std::string_view word) {
  const auto* const at = std::ranges::find(kRemoved, word, &RemovedWord::word);
  return at == std::end(kRemoved) ? std::string_view() : at->instead;
}

}  // namespace assay
