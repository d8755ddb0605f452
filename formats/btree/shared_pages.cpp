#include "formats/btree/shared_pages.hpp"

#include <optional>

namespace assay::load::btree {
namespace {

constexpr std::uint32_t kSchemaPage = 1;
constexpr Byte kIndexInterior = 0x02, kTableInterior = 0x05, kIndexLeaf = 0x0A, kTableLeaf = 0x0D;

bool is_interior(Byte kind) { return kind == kIndexInterior || kind == kTableInterior; }
bool is_leaf(Byte kind) { return kind == kIndexLeaf || kind == kTableLeaf; }
std::size_t header_offset(std::uint32_t page) { return page == kSchemaPage ? 100 : 0; }

class PageOwners {
 public:
  explicit PageOwners(const PageFile& file) : file_(file), owner_(std::size_t{file.page_count()} + 1) {}

  /// Claims the pages of tree `number` below `page`. Returns a page that another tree has already claimed, if any.
  std::optional<std::uint32_t> claim(std::uint32_t page, std::uint32_t number) {
    if (page < 1 || page > file_.page_count()) return std::nullopt;
    if (owner_[page] != 0) return page;
    owner_[page] = number;
    return claim_below(page, number, 0);
  }
  [[nodiscard]] std::uint32_t owner(std::uint32_t page) const { return owner_[page]; }

  /// A tree page that no tree claimed. Overflow pages begin with the number of the next page, whose first byte is 0 in
  /// files of less than 2^24 pages.
  [[nodiscard]] std::optional<std::uint32_t> orphan() const {
    constexpr std::uint32_t kMaxPages = 1U << 24;
    if (file_.has_pointer_maps() || file_.page_count() >= kMaxPages) return std::nullopt;
    for (std::uint32_t page = 2; page <= file_.page_count(); ++page) {
      if (owner_[page] != 0 || !file_.may_hold_tree(page)) continue;
      const std::optional<Byte> kind = kind_of(page);
      if (kind && (is_interior(*kind) || is_leaf(*kind))) return page;
    }
    return std::nullopt;
  }

 private:
  std::optional<Byte> kind_of(std::uint32_t page) const {
    Byte start[101] = {};
    const std::size_t at = header_offset(page);
    if (page < 1 || page > file_.page_count() || !file_.read(page, at + 1, start)) return std::nullopt;
    return start[at];
  }

  /// Children of an interior page; empty for other pages.
  std::vector<std::uint32_t> children(std::uint32_t page) const {
    const std::size_t size = file_.page_size(), at = header_offset(page);
    std::vector<Byte> bytes(size);
    if (!file_.read(page, size, bytes.data()) || !is_interior(bytes[at])) return {};
    const std::size_t cells = big_endian_16(&bytes[at + 3]), pointers = at + 12;
    if (pointers + 2 * cells > size) return {};
    std::vector<std::uint32_t> pages;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::size_t start = big_endian_16(&bytes[pointers + 2 * cell]);
      if (start + 4 > size) return {};
      pages.push_back(big_endian_32(&bytes[start]));
    }
    pages.push_back(big_endian_32(&bytes[at + 8]));
    return pages;
  }

  std::optional<std::uint32_t> claim_below(std::uint32_t page, std::uint32_t number, int depth) {
    const std::vector<std::uint32_t> below = depth < kMaxDepth ? children(page) : std::vector<std::uint32_t>();
    if (below.empty()) return std::nullopt;
    const std::optional<Byte> kind = kind_of(below.front());  // trees are balanced: all others are of the same kind
    for (const std::uint32_t child : below) {
      if (child < 1 || child > file_.page_count()) return std::nullopt;
      if (owner_[child] != 0) return child;
      owner_[child] = number;
      if (!kind || !is_interior(*kind)) continue;
      if (const auto taken = claim_below(child, number, depth + 1)) return taken;
    }
    return std::nullopt;
  }

  const PageFile& file_;
  std::vector<std::uint32_t> owner_;  ///< by page: number of the tree, from 1; 0: none yet
};

}  // namespace

PageCensus census_of(const PageFile& file, std::span<const TreeRoot> roots) {
  PageOwners census(file);
  PageCensus found;
  std::vector<std::string> tables = {"", "the list of tables"};  // by tree number
  census.claim(kSchemaPage, 1);
  for (const TreeRoot& root : roots) {
    tables.push_back(root.table);
    const auto number = static_cast<std::uint32_t>(tables.size() - 1);
    if (const auto page = census.claim(root.page, number))
      found.shared.push_back({*page, tables[census.owner(*page)], root.table});
  }
  found.orphaned = census.orphan();
  return found;
}

}  // namespace assay::load::btree
