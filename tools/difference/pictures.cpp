#include "difference/pictures.hpp"

#include <algorithm>
#include <string>

#include "algo/page_sections.hpp"
#include "render/html/strip.hpp"

namespace assay {

void add_pictures(const RunResult& result, look::Page& page) {
  std::vector<StripSide> sides;
  const std::vector<ReportResult>& reports = result.analysis.questions.front();
  const std::vector<CatalogEntry>& entries = result.catalog->questions.front().entries;
  for (std::size_t e = 0; e < reports.size(); ++e) {
    const std::string side = entries[e].labels.empty() ? "" : entries[e].labels.front().text;
    const auto strip =
        std::ranges::find_if(reports[e].tables, [](const OwnedTable& t) { return t.id == page::kStrip; });
    if (strip == reports[e].tables.end() || std::ranges::find(sides, side, &StripSide::name) != sides.end()) continue;
    sides.push_back({side, &*strip});
  }
  if (sides.size() != 2) return;
  look::PageSection picture{"A step before and after, on one scale", {}, {}};
  picture.figure = strip_figure(sides, false);
  picture.picture = true;
  if (!picture.figure.empty()) page.parts.push_back(std::move(picture));
}

}  // namespace assay
