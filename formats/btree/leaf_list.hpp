// The leaf pages of a table tree in the order of its rows, and how many rows stand on each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/btree/page_file.hpp"
#include "formats/btree/refusal.hpp"

namespace assay::load::btree {

/// Greatest number of cells on a page: SQLite's own limit, 6 bytes for a cell with its pointer.
constexpr std::uint32_t most_cells(std::size_t page_size) { return static_cast<std::uint32_t>((page_size - 8) / 6); }

/// What stands before the cells of a tree page, checked.
struct PageHeader {
  static constexpr Byte kInterior = 0x05, kLeaf = 0x0D;
  static constexpr std::size_t kBytes = 12;
  Byte kind = 0;
  std::uint32_t cells = 0;
  std::size_t pointers = 0;  ///< offset of the cell pointers in the page
  std::size_t content = 0;   ///< offset from which on the page is in use: cells, free blocks, fragments

  /// Where the header stands: the file's own header comes first on page 1.
  static std::size_t offset(std::uint32_t page) { return page == 1 ? 100 : 0; }
  /// `at` is the header's first byte. Refused: another kind, more cells than fit, none where some must be.
  static Outcome<PageHeader> read(const Byte* at, std::uint32_t page, std::size_t page_size, bool is_root);

  /// Bytes behind `content` that no cell takes: free blocks and fragments. More than the page has when their list is
  /// damaged. `bytes` are those of the whole page.
  [[nodiscard]] std::size_t unused(const Byte* bytes, std::uint32_t page, std::size_t page_size) const;
};

struct Leaf {
  std::uint32_t page = 0;
  std::uint32_t rows = 0;
};

class LeafList {
 public:
  /// Walks the interior pages below `root`. Every page is visited once.
  static Outcome<LeafList> walk(const PageFile& file, std::uint32_t root);

  [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
  [[nodiscard]] std::uint64_t rows() const;
  [[nodiscard]] std::uint32_t root() const { return root_; }

  /// Asks every leaf for its rows.
  std::optional<Refusal> count(const PageFile& file);

 private:
  struct Walk;
  [[nodiscard]] std::optional<Refusal> count_leaf(const PageFile& file, Leaf& leaf) const;
  std::optional<Refusal> check_samples(const PageFile& file);

  std::uint32_t root_ = 0;
  std::vector<Leaf> leaves_;
  /// Rows per leaf are taken from the row ids in the interior pages, which leave no gap in a table that only grew.
  bool assumed_ = false;
};

}  // namespace assay::load::btree
