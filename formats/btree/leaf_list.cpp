#include "formats/btree/leaf_list.hpp"

#include <fmt/core.h>

#include <array>
#include <numeric>
#include <string>

namespace assay::load::btree {
namespace {

constexpr std::size_t kSampledLeaves = 16;  // enough to notice a table with gaps before arrays are allocated for it

Refusal bad_page(std::uint32_t page, const char* what) {
  return {Reason::kPage, fmt::format("page {} {}", page, what)};
}

}  // namespace

Outcome<PageHeader> PageHeader::read(const Byte* at, std::uint32_t page, std::size_t page_size, bool is_root) {
  PageHeader header;
  header.kind = at[0];
  if (header.kind == 0x02 || header.kind == 0x0A) {
    return Refusal{Reason::kWithoutRowId, "page " + std::to_string(page) + " is a page of an index"};
  }
  if (header.kind != kInterior && header.kind != kLeaf) return bad_page(page, "is no page of a table");
  header.cells = big_endian_16(at + 3);
  header.pointers = offset(page) + (header.kind == kLeaf ? 8 : 12);
  header.content = big_endian_16(at + 5) == 0 ? 65536 : big_endian_16(at + 5);
  if (header.cells > most_cells(page_size) || header.pointers + 2 * std::size_t{header.cells} > page_size) {
    return bad_page(page, "claims more cells than fit");
  }
  if (header.content < header.pointers + 2 * std::size_t{header.cells} || header.content > page_size)
    return bad_page(page, "claims to be in use from outside it on");
  if (header.cells == 0 && !(is_root && header.kind == kLeaf)) return bad_page(page, "has no cells");
  return header;
}

std::size_t PageHeader::unused(const Byte* bytes, std::uint32_t page, std::size_t page_size) const {
  constexpr std::size_t kBlockHeader = 4;
  std::size_t bytes_unused = bytes[offset(page) + 7];
  std::size_t last = 0;
  for (std::size_t block = big_endian_16(bytes + offset(page) + 1); block != 0; block = big_endian_16(bytes + block)) {
    const bool fits = block >= content && block > last && block + kBlockHeader <= page_size;
    if (!fits) return page_size + 1;
    bytes_unused += big_endian_16(bytes + block + 2);
    last = block;
  }
  return bytes_unused;
}

namespace {

Outcome<PageHeader> header_of(const PageFile& file, std::uint32_t page, bool is_root) {
  std::array<Byte, 100 + PageHeader::kBytes> start{};
  const std::size_t at = PageHeader::offset(page);
  if (!file.read(page, at + PageHeader::kBytes, start.data()))
    return Refusal{Reason::kUnreadable, "the file ends early"};
  return PageHeader::read(&start[at], page, file.page_size(), is_root);
}

}  // namespace

/// Walks down the tree. Each leaf is recorded with the largest row id that its parent knows of.
struct LeafList::Walk {
  const PageFile& file;
  LeafList& list;
  std::vector<bool> visited = std::vector<bool>(std::size_t{file.page_count()} + 1);
  std::vector<std::int64_t> last_row_ids = {};  ///< per leaf, without the last

  std::optional<Refusal> enter(std::uint32_t page) {
    if (!file.may_hold_tree(page)) return bad_page(page, "is named by a tree that cannot use it");
    if (visited[page]) return bad_page(page, "is reached twice");
    visited[page] = true;
    return std::nullopt;
  }

  std::optional<Refusal> interior(std::uint32_t page, bool is_root, int depth);
};

std::optional<Refusal> LeafList::Walk::interior(std::uint32_t page, bool is_root, int depth) {
  if (depth >= kMaxDepth) return bad_page(page, "is deeper than any SQLite tree");
  constexpr std::size_t kSlack = 16;  // a varint may run past the end of a damaged page
  const std::size_t size = file.page_size();
  std::vector<Byte> bytes(size + kSlack);
  if (!file.read(page, size, bytes.data())) return Refusal{Reason::kUnreadable, "the file ends early"};
  const auto read = PageHeader::read(&bytes[PageHeader::offset(page)], page, size, is_root);
  if (const auto* refusal = std::get_if<Refusal>(&read)) return *refusal;
  const auto& header = std::get<PageHeader>(read);
  if (header.kind != PageHeader::kInterior) return bad_page(page, "is a leaf where its neighbours are not");

  std::vector<std::uint32_t> pages;
  std::vector<std::int64_t> keys;
  std::size_t taken = 0;  // bytes
  for (std::uint32_t cell = 0; cell < header.cells; ++cell) {
    const std::size_t at = big_endian_16(&bytes[header.pointers + 2 * std::size_t{cell}]);
    if (at < header.pointers + 2 * std::size_t{header.cells} || at + 5 > size)
      return bad_page(page, "has a cell outside it");
    std::uint64_t key = 0;
    const Byte* const behind = read_varint(&bytes[at + 4], key);
    if (behind > bytes.data() + size) return bad_page(page, "has a cell that runs over its end");
    taken += static_cast<std::size_t>(behind - &bytes[at]);
    pages.push_back(big_endian_32(&bytes[at]));
    keys.push_back(static_cast<std::int64_t>(key));
    if (cell > 0 && keys[cell] <= keys[cell - 1]) return bad_page(page, "has row ids out of order");
  }
  // If the cell count of a page was lowered by damage, the cells beyond it are invisible.
  if (taken + header.unused(bytes.data(), page, size) != size - header.content)
    return bad_page(page, "has more or fewer bytes in its cells than in use");
  pages.push_back(big_endian_32(&bytes[PageHeader::offset(page) + 8]));
  bytes = {};

  if (!file.may_hold_tree(pages.front())) return bad_page(pages.front(), "is named by a tree that cannot use it");
  const auto first_child = header_of(file, pages.front(), false);
  if (const auto* refusal = std::get_if<Refusal>(&first_child)) return *refusal;
  if (std::get<PageHeader>(first_child).kind == PageHeader::kLeaf) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (auto refusal = enter(pages[i])) return refusal;
      list.leaves_.push_back({pages[i], 0});
      if (i < keys.size()) last_row_ids.push_back(keys[i]);
    }
    return std::nullopt;
  }
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (auto refusal = enter(pages[i])) return refusal;
    if (auto refusal = interior(pages[i], false, depth + 1)) return refusal;
    if (i < keys.size()) last_row_ids.push_back(keys[i]);
  }
  return std::nullopt;
}

Outcome<LeafList> LeafList::walk(const PageFile& file, std::uint32_t root) {
  LeafList list;
  list.root_ = root;
  Walk walk{file, list};
  if (auto refusal = walk.enter(root)) return *std::move(refusal);
  const auto header = header_of(file, root, true);
  if (const auto* refusal = std::get_if<Refusal>(&header)) return *refusal;
  if (std::get<PageHeader>(header).kind == PageHeader::kLeaf) {
    list.leaves_.push_back({root, std::get<PageHeader>(header).cells});
    return list;
  }
  if (auto refusal = walk.interior(root, true, 0)) return *std::move(refusal);

  // Read the first and the last leaf: the interior pages do not say at which row ids they begin and end.
  const std::size_t last = list.leaves_.size() - 1;
  for (const std::size_t i : {std::size_t{0}, last}) {
    if (auto refusal = list.count_leaf(file, list.leaves_[i])) return *std::move(refusal);
  }
  list.assumed_ = true;
  for (std::size_t i = 1; i < last; ++i) {
    const std::uint64_t span =
        static_cast<std::uint64_t>(walk.last_row_ids[i]) - static_cast<std::uint64_t>(walk.last_row_ids[i - 1]);
    if (span == 0 || span > most_cells(file.page_size())) list.assumed_ = false;
    list.leaves_[i].rows = static_cast<std::uint32_t>(span);
  }
  auto refusal = list.assumed_ ? list.check_samples(file) : list.count(file);
  if (refusal) return *std::move(refusal);
  return list;
}

std::optional<Refusal> LeafList::check_samples(const PageFile& file) {
  for (std::size_t sample = 1; sample < kSampledLeaves; ++sample) {
    Leaf leaf = leaves_[leaves_.size() * sample / kSampledLeaves];
    const std::uint32_t assumed = leaf.rows;
    if (auto refusal = count_leaf(file, leaf)) return refusal;
    if (leaf.rows != assumed) return count(file);
  }
  return std::nullopt;
}

std::optional<Refusal> LeafList::count_leaf(const PageFile& file, Leaf& leaf) const {
  const auto read = header_of(file, leaf.page, leaf.page == root_);
  if (const auto* refusal = std::get_if<Refusal>(&read)) return *refusal;
  if (std::get<PageHeader>(read).kind != PageHeader::kLeaf)
    return bad_page(leaf.page, "is no leaf where its neighbours are");
  leaf.rows = std::get<PageHeader>(read).cells;
  return std::nullopt;
}

std::optional<Refusal> LeafList::count(const PageFile& file) {
  assumed_ = false;
  for (Leaf& leaf : leaves_) {
    if (auto refusal = count_leaf(file, leaf)) return refusal;
  }
  return std::nullopt;
}

std::uint64_t LeafList::rows() const {
  return std::accumulate(leaves_.begin(), leaves_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Leaf& leaf) { return sum + leaf.rows; });
}

}  // namespace assay::load::btree
