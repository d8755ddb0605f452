#include "files/utf8.hpp"
#include "render/format.hpp"
#include "render/outputs.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

/// A spreadsheet would take a text that begins like a formula for one: it gets an apostrophe, and so does a text that
/// begins with an apostrophe, so that a reader who removes the first one has every text as it was.
std::string field(std::string_view raw) {
  std::string text = to_utf8(raw);
  if (!text.empty() && std::string_view("=+-@\t\r\n'").find(text.front()) != std::string_view::npos)
    text.insert(text.begin(), '\'');
  return csv_cell(std::move(text));
}

}  // namespace

std::string facts_csv(const std::vector<FactRow>& facts) {
  std::string out = "report,metric,dims,unit,value,n\n";
  for (const FactRow& row : facts) {
    out.append(field(row.report))
        .append(",")
        .append(field(row.fact->metric))
        .append(",")
        .append(field(row.dims))
        .append(",");
    out.append(field(row.unit)).append(",").append(exact(row.fact->value)).append(",");
    out.append(std::to_string(row.fact->n())).append("\n");
  }
  return out;
}

}  // namespace assay
