// Trees at several pages of any bytes, decoded as tables of a few layouts. The sanitizers judge.
#include <cstdlib>
#include <string_view>
#include <vector>

#include "input_file.hpp"
#include "load/btree/table_scan.hpp"

namespace {

using namespace assay::load::btree;

/// Every byte of the results is read, so that a view of memory that is gone is noticed.
std::size_t add_up(const std::vector<std::string_view>& texts) {
  std::size_t sum = 0;
  for (const std::string_view text : texts) {
    for (const char c : text) sum += static_cast<unsigned char>(c);
  }
  return sum;
}

void decode(const PageFile& file, std::uint32_t root, unsigned threads) {
  TableLayout layout;
  layout.root_page = root;
  layout.columns = {
      {"id", true, false}, {"a", false, false}, {"b", false, false}, {"c", false, false}, {"d", false, false}};
  auto planned = TableScan::plan(file, layout);
  if (std::holds_alternative<Refusal>(planned)) return;
  auto& scan = std::get<TableScan>(planned);
  if (scan.rows() > scan.bytes()) std::abort();  // no cell takes less than a byte

  const std::size_t rows = scan.rows();
  std::vector<std::int64_t> ids(rows), wide(rows);
  std::vector<std::int32_t> narrow(rows);
  std::vector<std::uint8_t> small(rows);
  std::vector<std::string_view> texts(rows), more_texts(rows);
  const std::vector<std::vector<ColumnSink>> choices{
      {{0, std::span(ids)}, {1, std::span(wide), -1}},
      {{4, std::span(texts)}, {1, std::span(narrow), -1}, {4, std::span(wide)}, {2, std::span(more_texts)}},
      {{3, std::span(small), 255}},
      {}};
  for (const auto& sinks : choices) {
    const auto read = scan.read(sinks, threads);
    if (const auto* result = std::get_if<TableRows>(&read)) {
      if (result->rows > rows) std::abort();
      volatile std::size_t sum = add_up(texts) + add_up(more_texts);
      static_cast<void>(sum);
    }
    texts.assign(rows, {});
    more_texts.assign(rows, {});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = PageFile::open(assay::fuzz::write_database({data, size}));
  if (const auto* pages = std::get_if<PageFile>(&file)) {
    for (std::uint32_t root = 1; root <= 6; ++root) decode(*pages, root, root == 2 ? 2 : 1);
  }
  return 0;
}
