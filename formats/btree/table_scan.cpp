#include "formats/btree/table_scan.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>

#include "formats/btree/big_array.hpp"
#include "formats/btree/block_reader.hpp"
#include "workers.hpp"

namespace assay::load::btree {
namespace {

/// Blocks that justify starting another thread: about a millisecond of work.
constexpr std::size_t kBlocksPerThread = 16;

/// Destination of a block decoded by one thread.
struct BlockColumns {
  std::vector<BigArray<std::int64_t>> integers;
  std::vector<BigArray<std::string_view>> texts;
  std::vector<ColumnSink> sinks;

  BlockColumns(std::span<const WantedColumn> columns, std::int64_t null_value, std::size_t rows) {
    for (const WantedColumn& column : columns) {
      if (column.kind == FieldKind::kText) {
        sinks.push_back({column.column, texts.emplace_back(rows).span()});
      } else {
        sinks.push_back({column.column, integers.emplace_back(rows).span(), null_value});
      }
    }
  }

  [[nodiscard]] RowBatch batch(std::uint64_t first_row, std::size_t rows) const {
    RowBatch batch{first_row, rows, {}, {}};
    for (const auto& array : integers) batch.integers.push_back(array.span().first(rows));
    for (const auto& array : texts) batch.texts.push_back(array.span().first(rows));
    return batch;
  }
};

}  // namespace

/// One pass over all leaves, shared by its threads. Each takes the next block of leaves until none is left.
struct TableScan::Pass {
  const TableScan& scan;
  std::span<const WantedColumn> columns;
  std::int64_t null_value;
  const RowConsumer& consumer;
  const std::vector<Leaf>& leaves = scan.leaves_.leaves();
  std::vector<std::uint64_t> first_rows = {};  ///< by block, from the row counts of the leaves
  bool alone = true;                           ///< a single thread counts the rows itself
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> refused_block{~std::size_t{0}};  ///< the lowest one, independent of which thread met it
                                                            ///< first
  std::mutex mutex = {};                                    // of what follows
  std::condition_variable turned = {};
  std::size_t turn = 0;  ///< the next block for in-order delivery
  std::optional<Refusal> refusal = {};
  std::exception_ptr failure = {};
  TableRows result = {};

  void work() noexcept;
  void scan_blocks();
  std::optional<Refusal> read_block(std::size_t block, BlockReader& reader, PageDecoder& decoder,
                                    const BlockColumns& to);
  void deliver(std::size_t block, const RowBatch& batch);
  void stop_at(std::size_t block);
};

/// Call with the mutex held.
void TableScan::Pass::stop_at(std::size_t block) {
  refused_block = block;
  turned.notify_all();
}

void TableScan::Pass::work() noexcept {
  try {
    scan_blocks();
  } catch (...) {  // no memory
    const std::lock_guard lock(mutex);
    failure = std::current_exception();
    stop_at(0);
  }
}

void TableScan::Pass::scan_blocks() {
  const std::size_t page_size = scan.file_.page_size();
  const BlockColumns to(columns, null_value, BlockReader::most_rows(page_size));
  BlockReader reader(scan.file_, scan.leaves_);
  PageDecoder decoder(scan.layout_, to.sinks, page_size);
  // Blocks before a refused one are finished, so the refusal does not depend on the number of threads.
  for (std::size_t block = next++; block < first_rows.size() && block < refused_block; block = next++) {
    auto why = read_block(block, reader, decoder, to);
    if (!why) continue;
    const std::lock_guard lock(mutex);
    if (block >= refused_block) continue;
    refusal = std::move(why);
    stop_at(block);
  }
  const std::lock_guard lock(mutex);
  result.mistyped += decoder.mistyped();
}

std::optional<Refusal> TableScan::Pass::read_block(std::size_t block, BlockReader& reader, PageDecoder& decoder,
                                                   const BlockColumns& to) {
  if (auto why = reader.load(block)) return why;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < reader.size(); ++i) {
    const Leaf& leaf = leaves[reader.first() + i];
    if (!alone && reader.header(i).cells != leaf.rows) {
      return Refusal{Reason::kMiscounted,
                     "page " + std::to_string(leaf.page) + " has another number of rows than row ids"};
    }
    if (auto why = decoder.decode(reader.page(i), reader.header(i), leaf.page, rows)) return why;
    rows += reader.header(i).cells;
  }
  deliver(block, to.batch(alone ? result.rows : first_rows[block], rows));
  return std::nullopt;
}

void TableScan::Pass::deliver(std::size_t block, const RowBatch& batch) {
  if (consumer.at_once) consumer.at_once(batch);
  {
    std::unique_lock lock(mutex);
    turned.wait(lock, [&] { return turn == block || refused_block < block; });
    if (refused_block < block) return;
  }
  if (consumer.in_order) consumer.in_order(batch);
  const std::lock_guard lock(mutex);
  result.rows += batch.rows;
  ++turn;
  turned.notify_all();
}

TableScan::TableScan(PageFile file, TableLayout layout, LeafList leaves)
    : file_(std::move(file)), layout_(std::move(layout)), leaves_(std::move(leaves)), rows_(leaves_.rows()) {}

Outcome<TableScan> TableScan::plan(const PageFile& file, const TableLayout& layout) {
  auto leaves = LeafList::walk(file, layout.root_page);
  if (auto* refusal = std::get_if<Refusal>(&leaves)) return std::move(*refusal);
  return TableScan(file, layout, std::move(std::get<LeafList>(leaves)));
}

std::optional<Refusal> TableScan::check(std::span<const WantedColumn> columns) const {
  if (columns.size() > ShapeTable::kMaxFields) return Refusal{Reason::kLayout, "too many columns are wanted"};
  for (const WantedColumn& wanted : columns) {
    if (wanted.column >= layout_.columns.size()) return Refusal{Reason::kLayout, "a wanted column does not exist"};
    const ColumnLayout& column = layout_.columns[wanted.column];
    if (column.is_real) return Refusal{Reason::kRealColumn, column.name + " holds reals"};
    if (wanted.kind != FieldKind::kText) continue;
    if (column.is_row_id) return Refusal{Reason::kLayout, column.name + " is the row id, not a text"};
    if (!file_.texts_are_utf8()) return Refusal{Reason::kEncoding, column.name + " holds UTF-16"};
  }
  return std::nullopt;
}

Outcome<TableRows> TableScan::read(std::span<const WantedColumn> columns, std::int64_t null_value,
                                   const RowConsumer& consumer, unsigned threads) const {
  if (auto refusal = check(columns)) return *std::move(refusal);
  Pass pass{*this, columns, null_value, consumer};
  const std::size_t per_block = BlockReader::leaves_per_block(file_.page_size());
  std::uint64_t row = 0;
  for (std::size_t i = 0; i < pass.leaves.size(); ++i) {
    if (i % per_block == 0) pass.first_rows.push_back(row);
    row += pass.leaves[i].rows;
  }
  const std::size_t useful = std::min<std::size_t>(threads, 1 + pass.first_rows.size() / kBlocksPerThread);
  pass.alone = useful <= 1;
  on_workers(useful, [&pass] { pass.work(); });
  if (pass.failure) std::rethrow_exception(pass.failure);
  if (!file_.is_held()) {
    if (auto refusal = file_.changed()) return *std::move(refusal);
  }
  if (pass.refusal) return *std::move(pass.refusal);
  return pass.result;
}

}  // namespace assay::load::btree
