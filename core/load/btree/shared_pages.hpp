// Pages that two trees of a database claim: the work of damage to a root or to a page of pointers, after which one of
// the two is read with rows of the other, or without some of its own, and looks whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "load/btree/page_file.hpp"

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

/// Follows all trees down to the numbers of their leaves, of which only one in each group is read: less than a
/// hundredth of the file. At most one page a tree; a tree that is damaged otherwise is followed no further, for whoever
/// reads it will say so.
std::vector<SharedPage> find_shared_pages(const PageFile& file, std::span<const TreeRoot> roots);

}  // namespace assay::load::btree
