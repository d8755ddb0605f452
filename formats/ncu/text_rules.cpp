#include "formats/ncu/layout.hpp"
#include "formats/ncu/number.hpp"
#include "formats/ncu/rep_rules.hpp"
#include "formats/ncu/text_rows.hpp"

namespace assay::load {
namespace {

/// Columns of the details page that hold rules.
struct RuleColumns {
  std::optional<std::size_t> section, rule, kind, text, local, speedup;
  explicit RuleColumns(std::span<const std::string> header) {
    for (std::size_t c = 0; c < header.size(); ++c) {
      if (header[c] == "Section Name") section = c;
      if (header[c] == "Rule Name") rule = c;
      if (header[c] == "Rule Type") kind = c;
      if (header[c] == "Rule Description") text = c;
      if (header[c] == "Estimated Speedup Type") local = c;
      if (header[c] == "Estimated Speedup") speedup = c;
    }
  }
};

}  // namespace

Result<std::vector<RuledLaunch>> read_text_rules(const std::filesystem::path& file) {
  std::vector<RuledLaunch> out;
  std::string id;  // of the last launch
  std::optional<NcuLayout> layout;
  RuleColumns columns({});
  const auto rows = read_text_rows(file, [&](std::span<const std::string> cells, std::uint64_t) {
    if (std::optional<NcuLayout> header = ncu_layout(cells)) {
      layout = std::move(header);
      columns = RuleColumns(cells);
      return;
    }
    const auto cell = [&](std::optional<std::size_t> column) {
      return column && *column < cells.size() ? cells[*column] : std::string();
    };
    if (!layout || cell(columns.rule).empty() || cell(columns.text).empty()) return;
    if (out.empty() || cell(layout->id) != id) out.push_back({cell(layout->kernel), {}, {}});
    id = cell(layout->id);
    const PrintedNumber speedup = printed_number(cell(columns.speedup));
    out.back().sayings.push_back({cell(columns.section), cell(columns.rule), cell(columns.kind), cell(columns.text),
                                  speedup.point ? speedup.point : speedup.comma, cell(columns.local) == "local"});
  });
  if (!rows) return rows.error();
  return out;
}

}  // namespace assay::load
