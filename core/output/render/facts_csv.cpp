#include <ostream>

#include "files/utf8.hpp"
#include "render/format.hpp"
#include "render/outputs.hpp"
#include "render/text.hpp"

namespace assay {

// A text that begins like a formula or with an apostrophe gets a leading apostrophe, so that a reader who removes the
// first one recovers every text.
std::string csv_field(std::string_view raw) {
  std::string text = to_utf8(raw);
  if (!text.empty() && std::string_view("=+-@\t\r\n'").find(text.front()) != std::string_view::npos)
    text.insert(text.begin(), '\'');
  return csv_cell(std::move(text));
}

void write_facts_csv(const FactRows& facts, std::ostream& to) {
  to << "report,metric,dims,unit,value,n\n";
  for (const FactRow row : facts) {
    to << csv_field(row.report) << ',' << csv_field(row.fact->metric) << ',' << csv_field(row.dims()) << ','
       << csv_field(row.unit) << ',' << exact(row.fact->value) << ',' << std::to_string(row.fact->n()) << '\n';
  }
}

}  // namespace assay
