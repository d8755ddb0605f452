#include "formats/btree/table_list.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/btree/bytes.hpp"
#include "formats/btree/leaf_list.hpp"

namespace assay::load::btree {
namespace {

constexpr std::uint32_t kListRoot = 1;
constexpr std::size_t kSlack = 32;                             ///< varints of a damaged page may run over
constexpr std::uint64_t kLongestRow = std::uint64_t{1} << 20;  ///< bytes; a CREATE TABLE takes a few thousand

/// The bytes of the row whose cell begins at `at`, collected over its overflow pages (file format, section 1.6).
std::optional<std::string> row_bytes(const PageFile& file, const std::vector<Byte>& page, std::size_t at) {
  const std::size_t size = file.page_size();
  std::uint64_t bytes = 0, row_id = 0;
  const Byte* const next = read_varint(read_varint(&page[at], bytes), row_id);
  const auto from = static_cast<std::size_t>(next - page.data());
  if (bytes > kLongestRow || from > size) return std::nullopt;
  const std::uint64_t here = local_bytes(bytes, size);
  const bool goes_on = here < bytes;
  if (here + (goes_on ? 4 : 0) > size - from) return std::nullopt;
  std::string row(next, next + here);
  std::vector<Byte> other(size);
  std::uint32_t number = goes_on ? big_endian_32(next + here) : 0;
  while (row.size() < bytes) {
    if (!file.may_hold_tree(number) || !file.read(number, size, other.data())) return std::nullopt;
    const std::size_t more = std::min<std::size_t>(size - 4, bytes - row.size());
    row.append(other.begin() + 4, other.begin() + 4 + static_cast<std::ptrdiff_t>(more));
    number = big_endian_32(other.data());
  }
  return row;
}

std::int64_t integer_of(std::string_view bytes) {
  std::int64_t value = !bytes.empty() && (bytes[0] & 0x80) != 0 ? -1 : 0;
  for (const char byte : bytes)
    value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << 8 | static_cast<Byte>(byte));
  return value;
}

std::optional<ListedObject> object_of(std::string row) {
  constexpr std::size_t kFields = 5, kRoot = 3;
  const std::size_t size = row.size();
  row.append(kSlack, '\0');
  const auto* const begin = reinterpret_cast<const Byte*>(row.data());
  std::uint64_t head = 0;
  const Byte* next = read_varint(begin, head);
  std::array<std::uint64_t, kFields> types{};
  for (std::uint64_t& type : types) {
    if (static_cast<std::size_t>(next - begin) >= size) return std::nullopt;
    next = read_varint(next, type);
  }
  if (static_cast<std::uint64_t>(next - begin) != head) return std::nullopt;
  ListedObject object;
  const std::array<std::string*, kFields> texts = {&object.type, &object.name, &object.table, nullptr, &object.sql};
  std::uint64_t at = head;
  for (std::size_t f = 0; f < kFields; ++f) {
    const std::uint64_t type = types[f], bytes = bytes_of(type);
    if (at > size || bytes > size - at) return std::nullopt;
    const std::string_view value = std::string_view(row).substr(at, bytes);
    at += bytes;
    constexpr std::uint64_t kReal = 7, kZero = 8, kOne = 9, kText = 13;
    if (type == 0) continue;
    if (f == kRoot) {
      if (type == kReal || type > kOne) return std::nullopt;
      object.root = type >= kZero ? static_cast<std::int64_t>(type - kZero) : integer_of(value);
      object.has_root = true;
    } else {
      if (type < kText || type % 2 == 0) return std::nullopt;
      *texts[f] = value;
    }
  }
  return at == size ? std::optional(std::move(object)) : std::nullopt;
}

}  // namespace

std::optional<std::vector<ListedObject>> read_table_list(const PageFile& file) {
  const auto walked = LeafList::walk(file, kListRoot);
  const auto* leaves = std::get_if<LeafList>(&walked);
  if (leaves == nullptr || !file.texts_are_utf8()) return std::nullopt;
  std::vector<ListedObject> objects;
  std::vector<Byte> page(file.page_size() + kSlack);
  for (const Leaf& leaf : leaves->leaves()) {
    if (!file.read(leaf.page, file.page_size(), page.data())) return std::nullopt;
    const auto read =
        PageHeader::read(&page[PageHeader::offset(leaf.page)], leaf.page, file.page_size(), leaf.page == kListRoot);
    const auto* header = std::get_if<PageHeader>(&read);
    if (header == nullptr || header->kind != PageHeader::kLeaf) return std::nullopt;
    for (std::size_t cell = 0; cell < header->cells; ++cell) {
      const std::size_t at = big_endian_16(&page[header->pointers + 2 * cell]);
      auto row = at < file.page_size() ? row_bytes(file, page, at) : std::nullopt;
      auto object = row ? object_of(std::move(*row)) : std::nullopt;
      if (!object) return std::nullopt;
      objects.push_back(std::move(*object));
    }
  }
  return !file.is_held() && file.changed() ? std::nullopt : std::optional(std::move(objects));
}

}  // namespace assay::load::btree
