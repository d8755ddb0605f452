// An SQLite file as numbered pages, read with pread: a file that shrinks or changes causes a short read, never a
// signal.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/btree/bytes.hpp"
#include "formats/btree/refusal.hpp"

namespace assay::load::btree {

/// Largest depth of a tree: SQLite's own limit.
inline constexpr int kMaxDepth = 20;

/// Pages are numbered from 1, as in the file format. Reading is thread-safe.
class PageFile {
 public:
  /// Refused: anything but a plain, complete database without a log or journal.
  static Outcome<PageFile> open(const std::filesystem::path& file);

  [[nodiscard]] std::size_t page_size() const { return page_size_; }
  [[nodiscard]] std::uint32_t page_count() const { return page_count_; }

  /// Reads the first `size` bytes starting at `page`; false: the file no longer has them.
  [[nodiscard]] bool read(std::uint32_t page, std::size_t size, Byte* to) const;

  /// Whether a tree may use `page`: it is in the file, not free, and not the lock page.
  [[nodiscard]] bool may_hold_tree(std::uint32_t page) const;
  /// Whether texts are stored as UTF-8 rather than UTF-16.
  [[nodiscard]] bool texts_are_utf8() const;
  /// Whether the file has pointer map pages (auto_vacuum).
  [[nodiscard]] bool has_pointer_maps() const;

  /// Set if the file changed since it was opened, or if its name now refers to another file.
  [[nodiscard]] std::optional<Refusal> changed() const;
  /// Whether the whole file was read when it was opened, so later changes have no effect.
  [[nodiscard]] bool is_held() const { return held_ != nullptr; }

 private:
  static constexpr std::size_t kHeaderBytes = 100;
  using Header = std::array<Byte, kHeaderBytes>;

  /// Identifies a state of the file.
  struct Stamp {
    std::uint64_t device = 0, node = 0, size = 0;
    std::int64_t modified_s = 0, modified_ns = 0, changed_s = 0, changed_ns = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  struct Descriptor;

  PageFile() = default;
  static std::optional<Stamp> stamp(int descriptor);
  static std::optional<Stamp> stamp(const std::filesystem::path& file);
  [[nodiscard]] bool read_at(std::uint64_t offset, std::size_t size, Byte* to) const;
  std::optional<Refusal> check_header();
  std::optional<Refusal> list_free_pages();
  std::optional<Refusal> mark_free(std::uint32_t page);

  std::filesystem::path path_;
  std::shared_ptr<Descriptor> descriptor_;
  std::shared_ptr<const Byte[]> held_;  ///< the whole file if it is small: its tables are read page by page
  Stamp before_;
  Header header_{};
  std::size_t page_size_ = 0;
  std::uint32_t page_count_ = 0;
  std::vector<bool> free_;  ///< by page number; empty if the file has no free pages
};

}  // namespace assay::load::btree
