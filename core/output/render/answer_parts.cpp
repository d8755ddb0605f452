#include "render/answer_parts.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "algo/page_sections.hpp"
#include "conclude/measured.hpp"

namespace assay {
namespace {

constexpr std::size_t kFewRows = 12;

/// Analyzers whose findings are answers, in the order of the findings.
std::vector<std::string> answering(const QuestionResult& result) {
  std::vector<std::string> out;
  for (const OwnedFinding& finding : result.findings) {
    if (finding.role != FindingRole::kAnswer) continue;
    if (std::find(out.begin(), out.end(), finding.analyzer) == out.end()) out.push_back(finding.analyzer);
  }
  return out;
}

}  // namespace

AnswerParts answer_parts(const QuestionResult& result) {
  AnswerParts parts;
  const auto first = [](const auto& items, const auto& is) -> decltype(items.data()) {
    const auto at = std::find_if(items.begin(), items.end(), is);
    return at == items.end() ? nullptr : &*at;
  };
  for (const std::string& analyzer : answering(result)) {
    if (parts.plot == nullptr)
      parts.plot = first(result.plots, [&](const OwnedPlot& plot) { return plot.analyzer == analyzer; });
    const auto own = [&](const OwnedTable& table) {
      return table.analyzer == analyzer && table.rows() > 0 && table.id != page::kLayoutTable;
    };
    const auto whole = [&](const OwnedTable& table) { return table.id == "effects" || table.id == kMeasuredTable; };
    if (parts.table == nullptr)
      parts.table = first(result.tables, [&](const OwnedTable& table) { return own(table) && whole(table); });
    if (parts.table == nullptr)
      parts.table =
          first(result.tables, [&](const OwnedTable& table) { return own(table) && table.rows() <= kFewRows; });
  }
  return parts;
}

}  // namespace assay
