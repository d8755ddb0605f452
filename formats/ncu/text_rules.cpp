#include "formats/ncu/layout.hpp"
#include "formats/ncu/number.hpp"
#include "formats/ncu/rep_rules.hpp"
#include "formats/ncu/text_rows.hpp"

namespace assay::ncu {

std::vector<RuledLaunch> read_text_rules(const std::filesystem::path& file) {
  std::vector<RuledLaunch> out;
  std::string id;  // of the last launch
  std::optional<NcuLayout> layout;
  read_text_rows(file, [&](std::span<const std::string> cells, std::uint64_t) {
    if (std::optional<NcuLayout> header = ncu_layout(cells)) {
      layout = std::move(header);
      return;
    }
    const auto cell = [&](std::optional<std::size_t> column) {
      return column && *column < cells.size() ? cells[*column] : std::string();
    };
    if (!layout || cell(layout->rule).empty() || cell(layout->rule_text).empty()) return;
    if (out.empty() || cell(layout->id) != id) out.push_back({cell(layout->kernel), {}, {}});
    id = cell(layout->id);
    const PrintedNumber speedup = printed_number(cell(layout->speedup));
    out.back().sayings.push_back({cell(layout->section), cell(layout->rule), cell(layout->rule_kind),
                                  cell(layout->rule_text),
                                  speedup.point ? *speedup.point : speedup.comma.value_or(RuleSaying().speedup),
                                  cell(layout->speedup_kind) == "local"});
  });
  return out;
}

}  // namespace assay::ncu
