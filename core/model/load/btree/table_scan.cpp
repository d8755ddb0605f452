#include "load/btree/table_scan.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>

#include "load/btree/big_array.hpp"
#include "load/btree/block_reader.hpp"
#include "workers.hpp"

namespace assay::load::btree {
namespace {

template <class T>
bool fits(std::int64_t value) {
  return static_cast<std::int64_t>(static_cast<T>(value)) == value;
}

}  // namespace

/// One reading of all leaves, shared by its threads: each takes the next block of leaves until none is left.
struct TableScan::Pass {
  const TableScan& scan;
  std::span<const ColumnSink> sinks;
  const std::vector<Leaf>& leaves = scan.leaves_.leaves();
  std::size_t leaves_per_block = BlockReader::leaves_per_block(scan.file_.page_size());
  std::vector<std::uint64_t> first_rows;  ///< of each block
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> refused_block{~std::size_t{0}};  ///< the first one, whichever thread met it first
  std::atomic<bool> miscounted{false};
  std::mutex mutex;  // of what follows
  std::optional<Refusal> refusal;
  std::exception_ptr failure;
  TableRows result;

  Pass(const TableScan& owner, std::span<const ColumnSink> wanted) : scan(owner), sinks(wanted) {
    std::uint64_t row = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (i % leaves_per_block == 0) first_rows.push_back(row);
      row += leaves[i].rows;
    }
    result.rows = row;
  }

  void work() noexcept;
  void take_blocks();
  std::optional<Refusal> read_block(std::size_t block, BlockReader& reader, PageDecoder& decoder);
  void refuse(std::size_t block, Refusal why);
};

void TableScan::Pass::refuse(std::size_t block, Refusal why) {
  const std::lock_guard lock(mutex);
  if (block >= refused_block) return;
  refused_block = block;
  refusal = std::move(why);
}

void TableScan::Pass::work() noexcept {
  try {
    take_blocks();
  } catch (...) {  // no memory
    const std::lock_guard lock(mutex);
    failure = std::current_exception();
    refused_block = 0;
  }
}

void TableScan::Pass::take_blocks() {
  BlockReader reader(scan.file_, scan.leaves_);
  PageDecoder decoder(scan.layout_, sinks, scan.file_.page_size(), true);
  // Blocks before a refused one are finished, so that the refusal does not depend on the number of threads.
  for (std::size_t block = next++; block < first_rows.size() && block < refused_block; block = next++) {
    if (auto why = read_block(block, reader, decoder)) refuse(block, *std::move(why));
  }
  const std::lock_guard lock(mutex);
  result.mistyped += decoder.mistyped();
  result.texts.push_back(decoder.take_texts());
}

std::optional<Refusal> TableScan::Pass::read_block(std::size_t block, BlockReader& reader, PageDecoder& decoder) {
  if (auto why = reader.load(block)) return why;
  std::size_t row = first_rows[block];
  for (std::size_t i = 0; i < reader.size(); ++i) {
    const Leaf& leaf = leaves[reader.first() + i];
    if (reader.header(i).cells != leaf.rows) {
      miscounted = true;
      return Refusal{Reason::kPage, "page " + std::to_string(leaf.page) + " has another number of rows than row ids"};
    }
    if (auto why = decoder.decode(reader.page(i), reader.header(i), leaf.page, row)) return why;
    row += leaf.rows;
  }
  return std::nullopt;
}

TableScan::TableScan(PageFile file, TableLayout layout, LeafList leaves)
    : file_(std::move(file)), layout_(std::move(layout)), leaves_(std::move(leaves)), rows_(leaves_.rows()) {}

Outcome<TableScan> TableScan::plan(const PageFile& file, const TableLayout& layout) {
  auto leaves = LeafList::walk(file, layout.root_page);
  if (auto* refusal = std::get_if<Refusal>(&leaves)) return std::move(*refusal);
  return TableScan(file, layout, std::move(std::get<LeafList>(leaves)));
}

std::optional<Refusal> TableScan::check(std::span<const ColumnSink> sinks, std::uint64_t rows) const {
  if (sinks.size() > ShapeTable::kMaxFields) return Refusal{Reason::kLayout, "too many columns are wanted"};
  for (const ColumnSink& sink : sinks) {
    if (sink.column >= layout_.columns.size()) return Refusal{Reason::kLayout, "a wanted column does not exist"};
    const ColumnLayout& column = layout_.columns[sink.column];
    if (column.is_real) return Refusal{Reason::kRealColumn, column.name + " holds reals"};
    const auto problem = std::visit(
        [&]<class T>(std::span<T> to) -> std::optional<Refusal> {
          if (to.size() < rows) return Refusal{Reason::kDoesNotFit, column.name + ": its array is too short"};
          if constexpr (std::is_same_v<T, std::string_view>) {
            if (column.is_row_id) return Refusal{Reason::kLayout, column.name + " is the row id, not a text"};
            if (!file_.texts_are_utf8()) return Refusal{Reason::kEncoding, column.name + " holds UTF-16"};
          } else if (!fits<T>(sink.null_value)) {
            return Refusal{Reason::kDoesNotFit, column.name + ": the value for NULL does not fit its array"};
          }
          return std::nullopt;
        },
        sink.to);
    if (problem) return problem;
  }
  return std::nullopt;
}

Outcome<TableRows> TableScan::read(std::span<const ColumnSink> sinks, unsigned threads) {
  if (auto refusal = check(sinks, rows_)) return *std::move(refusal);
  bool miscounted = false;
  auto result = read_leaves(sinks, threads, miscounted);
  if (miscounted && leaves_.counts_are_assumed()) {
    if (auto refusal = leaves_.count(file_)) return *std::move(refusal);
    // Row ids rise along the tree, so that a leaf has at most as many rows as ids; more are the work of damage.
    if (leaves_.rows() > rows_) return Refusal{Reason::kPage, "a leaf has more rows than row ids"};
    result = read_leaves(sinks, threads, miscounted);
  }
  if (auto refusal = file_.changed()) return *std::move(refusal);
  return result;
}

Outcome<TableRows> TableScan::read_leaves(std::span<const ColumnSink> sinks, unsigned threads, bool& miscounted) const {
  Pass pass{*this, sinks};
  const std::size_t useful = std::min<std::size_t>(std::max(threads, 1U), pass.first_rows.size());
  on_workers(useful, [&pass] { pass.work(); });
  if (pass.failure) std::rethrow_exception(pass.failure);
  miscounted = pass.miscounted;
  if (pass.refusal) return *std::move(pass.refusal);
  return std::move(pass.result);
}

Outcome<TableRows> TableScan::stream(std::span<const StreamColumn> columns, std::int64_t null_value,
                                     const std::function<void(const RowBatch&)>& consume) const {
  const std::size_t most_rows = BlockReader::most_rows(file_.page_size());
  std::vector<BigArray<std::int64_t>> integers;
  std::vector<BigArray<std::string_view>> texts;
  std::vector<ColumnSink> sinks;
  for (const StreamColumn& column : columns) {
    if (column.kind == FieldKind::kText) {
      sinks.push_back({column.column, texts.emplace_back(most_rows).span()});
    } else {
      sinks.push_back({column.column, integers.emplace_back(most_rows).span(), null_value});
    }
  }
  if (auto refusal = check(sinks, most_rows)) return *std::move(refusal);

  BlockReader reader(file_, leaves_);
  PageDecoder decoder(layout_, sinks, file_.page_size(), false);
  TableRows result;
  RowBatch batch;
  const std::size_t per_block = BlockReader::leaves_per_block(file_.page_size());
  for (std::size_t block = 0; block * per_block < leaves_.leaves().size(); ++block) {
    if (auto refusal = reader.load(block)) return *std::move(refusal);
    batch = {result.rows, 0, {}, {}};
    for (std::size_t i = 0; i < reader.size(); ++i) {
      const std::uint32_t page = leaves_.leaves()[reader.first() + i].page;
      if (auto refusal = decoder.decode(reader.page(i), reader.header(i), page, batch.rows)) return *std::move(refusal);
      batch.rows += reader.header(i).cells;
    }
    for (const auto& array : integers) batch.integers.push_back(array.span().first(batch.rows));
    for (const auto& array : texts) batch.texts.push_back(array.span().first(batch.rows));
    if (batch.rows > 0) consume(batch);
    result.rows += batch.rows;
  }
  result.mistyped = decoder.mistyped();
  if (auto refusal = file_.changed()) return *std::move(refusal);
  return result;
}

}  // namespace assay::load::btree
