// Finds pages claimed by two trees of a database and tree pages claimed by none. Both are signs of damage to a root or
// a pointer page, after which a table has rows of another or lacks some of its own although it looks complete.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/btree/page_file.hpp"

namespace assay::load::btree {

/// The root of the tree of a table or index.
struct TreeRoot {
  std::string table;
  std::uint32_t page = 0;
};

struct SharedPage {
  std::uint32_t page = 0;
  std::string first, second;  ///< tables; equal if a tree claims a page twice
};

struct PageCensus {
  std::vector<SharedPage> shared;         ///< at most one page per tree
  std::optional<std::uint32_t> orphaned;  ///< the first tree page that no root leads to
};

/// Walks all trees down to the page numbers of their leaves. Of each group of leaves only one is read, less than a
/// hundredth of the file; of pages outside all trees one byte is read, which distinguishes the end of a long value from
/// a lost page. Trees with other damage are not walked further, since reading them reports it.
PageCensus census_of(const PageFile& file, std::span<const TreeRoot> roots);

}  // namespace assay::load::btree
