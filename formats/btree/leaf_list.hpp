// The leaf pages of a table tree in row order, with the number of rows on each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/btree/page_file.hpp"
#include "formats/btree/refusal.hpp"

namespace assay::load::btree {

/// Largest number of cells on a page: SQLite's own limit, 6 bytes for a cell including its pointer.
constexpr std::uint32_t most_cells(std::size_t page_size) { return static_cast<std::uint32_t>((page_size - 8) / 6); }

/// The validated header of a tree page.
struct PageHeader {
  static constexpr Byte kInterior = 0x05, kLeaf = 0x0D;
  static constexpr std::size_t kBytes = 12;
  Byte kind = 0;
  std::uint32_t cells = 0;
  std::size_t pointers = 0;  ///< offset of the cell pointers in the page
  std::size_t content = 0;   ///< offset of the used part of the page: cells, free blocks, fragments

  /// Offset of the header: page 1 starts with the header of the file.
  static std::size_t offset(std::uint32_t page) { return page == 1 ? 100 : 0; }
  /// `at` is the first byte of the header. Refused: wrong page kind, more cells than fit, or none where some are
  /// required.
  static Outcome<PageHeader> read(const Byte* at, std::uint32_t page, std::size_t page_size, bool is_root);

  /// Bytes after `content` that no cell uses: free blocks and fragments. Larger than the page if their list is damaged.
  /// `bytes` is the whole page.
  [[nodiscard]] std::size_t unused(const Byte* bytes, std::uint32_t page, std::size_t page_size) const;
};

struct Leaf {
  std::uint32_t page = 0;
  std::uint32_t rows = 0;
};

class LeafList {
 public:
  /// Walks the interior pages below `root`. Visits every page once.
  static Outcome<LeafList> walk(const PageFile& file, std::uint32_t root);

  [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
  [[nodiscard]] std::uint64_t rows() const;
  [[nodiscard]] std::uint32_t root() const { return root_; }

  /// Reads the row count of every leaf.
  std::optional<Refusal> count(const PageFile& file);

 private:
  struct Walk;
  [[nodiscard]] std::optional<Refusal> count_leaf(const PageFile& file, Leaf& leaf) const;
  std::optional<Refusal> check_samples(const PageFile& file);

  std::uint32_t root_ = 0;
  std::vector<Leaf> leaves_;
  /// Rows per leaf are derived from the row ids in the interior pages, which is exact for tables that only grew.
  bool assumed_ = false;
};

}  // namespace assay::load::btree
