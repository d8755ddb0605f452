// Trees at several pages of any bytes, decoded as tables of a few layouts. The sanitizers judge.
#include <cstdlib>
#include <string_view>
#include <vector>

#include "formats/btree/table_scan.hpp"
#include "input_file.hpp"

namespace assay::fuzz_of_btree {

using namespace assay::load::btree;

void decode(const PageFile& file, std::uint32_t root, unsigned threads) {
  TableLayout layout;
  layout.root_page = root;
  layout.columns = {
      {"id", true, false}, {"a", false, false}, {"b", false, false}, {"c", false, false}, {"d", false, false}};
  auto planned = TableScan::plan(file, layout);
  if (std::holds_alternative<Refusal>(planned)) return;
  auto& scan = std::get<TableScan>(planned);
  if (scan.rows() > scan.bytes()) std::abort();  // no cell takes less than a byte

  const std::vector<std::vector<WantedColumn>> choices{
      {{0}, {1}}, {{4, FieldKind::kText}, {1}, {4}, {2, FieldKind::kText}}, {{3}}, {}};
  for (const auto& columns : choices) {
    // Every byte that is handed over is read, so that a view of memory that is gone is noticed.
    std::uint64_t rows = 0;
    volatile std::size_t sum = 0;
    const auto in_order = [&](const RowBatch& batch) {
      if (batch.first_row != rows) std::abort();
      rows += batch.rows;
      for (const auto& column : batch.integers) {
        for (const std::int64_t value : column) sum = sum + static_cast<std::size_t>(value);
      }
      for (const auto& column : batch.texts) {
        for (const std::string_view text : column) {
          for (const char c : text) sum = sum + static_cast<unsigned char>(c);
        }
      }
    };
    const auto read = scan.read(columns, -1, {.in_order = in_order}, threads);
    const auto* result = std::get_if<TableRows>(&read);
    if (result != nullptr && (result->rows != rows || (threads > 1 && rows > scan.rows()))) std::abort();
  }
}

extern "C" int btree_fuzz(const std::uint8_t* data, std::size_t size) {
  const auto file = PageFile::open(assay::fuzz::write_database({data, size}));
  if (const auto* pages = std::get_if<PageFile>(&file)) {
    for (std::uint32_t root = 1; root <= 6; ++root) decode(*pages, root, root == 2 ? 2 : 1);
  }
  return 0;
}

}  // namespace assay::fuzz_of_btree
