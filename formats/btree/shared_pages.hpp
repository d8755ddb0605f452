// Pages that two trees of a database claim, and pages of trees that none claims: the work of damage to a root or to a
// page of pointers, after which a table is read with rows of another, or without some of its own, and looks whole.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/btree/page_file.hpp"

namespace assay::load::btree {

/// The root of a tree, of a table or of an index of it.
struct TreeRoot {
  std::string table;
  std::uint32_t page = 0;
};

struct SharedPage {
  std::uint32_t page = 0;
  std::string first, second;  ///< tables; the same one when a tree claims a page twice
};

struct PageCensus {
  std::vector<SharedPage> shared;         ///< at most one page a tree
  std::optional<std::uint32_t> orphaned;  ///< the first page of a tree that no root leads to
};

/// Follows all trees down to the numbers of their leaves, of which only one in each group is read: less than a
/// hundredth of the file; of pages that belong to none of them one byte is read, to tell the end of a long value from a
/// lost page. A tree that is damaged otherwise is followed no further, for whoever reads it will say so.
PageCensus census_of(const PageFile& file, std::span<const TreeRoot> roots);

}  // namespace assay::load::btree
