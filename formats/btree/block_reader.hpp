// Reads neighbouring leaf pages into memory, as many as fit the cache.
#pragma once

#include <optional>
#include <vector>

#include "formats/btree/leaf_list.hpp"
#include "formats/btree/page_file.hpp"

namespace assay::load::btree {

/// For use by one thread; reuses its memory.
class BlockReader {
 public:
  static std::size_t leaves_per_block(std::size_t page_size);
  static std::size_t most_rows(std::size_t page_size) { return leaves_per_block(page_size) * most_cells(page_size); }

  /// Borrows both.
  BlockReader(const PageFile& file, const LeafList& leaves);

  /// Reads block `number`; the blocks cover the leaves of the list in order. Refused: some page is not a leaf.
  std::optional<Refusal> load(std::size_t number);

  /// The current block: the number of its first leaf in the list, and its leaves.
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t size() const { return headers_.size(); }
  [[nodiscard]] const PageHeader& header(std::size_t i) const { return headers_[i]; }
  /// PageDecoder::kSlack bytes after the page are readable too.
  [[nodiscard]] const Byte* page(std::size_t i) const { return &buffer_[i * page_size_]; }

 private:
  const PageFile& file_;
  const LeafList& list_;
  std::size_t page_size_;
  std::vector<Byte> buffer_;
  std::vector<PageHeader> headers_;
  std::size_t first_ = 0;
};

}  // namespace assay::load::btree
