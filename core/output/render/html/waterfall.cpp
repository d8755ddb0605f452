#include "render/html/waterfall.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "render/format.hpp"
#include "render/html/html.hpp"

namespace assay {

std::string waterfall_figure(const OwnedTable& table) {
  const OwnedTable::Column *from = table.find("from"), *to = table.find("to");
  if (table.rows() == 0 || from == nullptr || to == nullptr) return {};
  double most = 0;
  for (std::size_t r = 0; r < table.rows(); ++r) most = std::max({most, from->numbers[r], to->numbers[r]});
  if (!(most > 0)) return {};
  std::string out = "<figure><div class=\"fall\">\n";
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const double a = from->numbers[r], b = to->numbers[r];
    const bool first = r == 0, total = first || r + 1 == table.rows();
    const std::string_view css = first ? "before" : total ? "after" : b < a ? "shorter" : "longer";
    const std::string amount = total ? quantity(b, "ns") : (b < a ? "−" : "+") + quantity(std::abs(b - a), "ns");
    const std::string& note = table.find("note")->texts[r];
    out += fmt::format(
        "<div class=\"l\">{}{}</div><div class=\"p\"><i class=\"{}\" style=\"left:{}%;width:{}%\"></i></div><div "
        "class=\"v "
        "{}\">{}</div>\n",
        html(table.find("label")->texts[r]), note.empty() ? "" : "<small>" + html(note) + "</small>", css,
        fixed(100 * std::min(a, b) / most, 2), fixed(100 * std::abs(b - a) / most, 2),
        total   ? ""
        : b < a ? "faster"
                : "slower",
        html(amount));
  }
  return out + "</div></figure>\n";
}

}  // namespace assay
