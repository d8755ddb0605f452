#include "formats/btree/page_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

namespace assay::load::btree {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::uint32_t kLockByte = 0x40000000;  // SQLite reserves the page with this byte for locks
constexpr std::uint64_t kHeldBytes = std::uint64_t{4} << 20;

/// Whether SQLite would apply a journal or log next to the file before reading it.
bool has_log(const fs::path& file) {
  const auto has_bytes = [](const fs::path& neighbour) {
    std::error_code failed;
    const auto bytes = fs::file_size(neighbour, failed);
    return !failed && bytes > 0;
  };
  if (has_bytes(file.native() + "-wal")) return true;
  if (!has_bytes(file.native() + "-journal")) return false;
  // A journal is hot unless its first byte is zero: SQLite zeroes, truncates or deletes it on commit.
  std::ifstream journal(file.native() + "-journal", std::ios::binary);
  char first = 0;
  return !journal.get(first) || first != 0;
}

}  // namespace

struct PageFile::Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number); }
};

namespace {

template <class Stamp>
std::optional<Stamp> stamp_of(int outcome, const struct stat& now) {
  if (outcome != 0 || !S_ISREG(now.st_mode)) return std::nullopt;
  return Stamp{now.st_dev,         now.st_ino,          static_cast<std::uint64_t>(now.st_size),
               now.st_mtim.tv_sec, now.st_mtim.tv_nsec, now.st_ctim.tv_sec,
               now.st_ctim.tv_nsec};
}

}  // namespace

std::optional<PageFile::Stamp> PageFile::stamp(int descriptor) {
  struct stat now{};
  return stamp_of<Stamp>(::fstat(descriptor, &now), now);
}

std::optional<PageFile::Stamp> PageFile::stamp(const fs::path& file) {
  struct stat now{};
  return stamp_of<Stamp>(::stat(file.c_str(), &now), now);
}

Outcome<PageFile> PageFile::open(const fs::path& file) {
  std::error_code failed;
  PageFile pages;
  pages.path_ = fs::canonical(file, failed);  // logs are next to the file, not next to a link to it
  // Non-blocking: opening a pipe must not wait for its writer. Regular files ignore it.
  const int opened = failed ? -1 : ::open(pages.path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return Refusal{Reason::kUnreadable, "the file cannot be opened"};
  pages.descriptor_ = std::make_shared<Descriptor>(opened);
  const auto before = stamp(opened);
  if (!before) return Refusal{Reason::kUnreadable, "it is not a regular file"};
  pages.before_ = *before;
  if (has_log(pages.path_)) return Refusal{Reason::kJournal, "a write-ahead log or a hot journal is next to the file"};
  if (auto refusal = pages.check_header()) return *std::move(refusal);
  if (before->size <= kHeldBytes) {
    auto whole = std::make_shared_for_overwrite<Byte[]>(before->size);
    if (!pages.read_at(0, before->size, whole.get())) return Refusal{Reason::kUnreadable, "the file ends early"};
    pages.held_ = std::move(whole);
    if (auto refusal = pages.changed()) return *std::move(refusal);
  }
  if (auto refusal = pages.list_free_pages()) return *std::move(refusal);
  return pages;
}

bool PageFile::read_at(std::uint64_t offset, std::size_t size, Byte* to) const {
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_->number, to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    const auto bytes = static_cast<std::size_t>(got);
    offset += bytes;
    to += bytes;
    size -= bytes;
  }
  return true;
}

bool PageFile::read(std::uint32_t page, std::size_t size, Byte* to) const {
  const std::uint64_t offset = std::uint64_t{page - 1} * page_size_;
  if (held_ == nullptr) return read_at(offset, size, to);
  if (offset > before_.size || size > before_.size - offset) return false;
  std::memcpy(to, held_.get() + offset, size);
  return true;
}

std::optional<Refusal> PageFile::check_header() {
  if (before_.size < kHeaderBytes || !read_at(0, kHeaderBytes, header_.data())) {
    return Refusal{Reason::kHeader, "the file is shorter than an SQLite header"};
  }
  if (std::memcmp(header_.data(), kMagic.data(), kMagic.size()) != 0) {
    return Refusal{Reason::kHeader, "the file is not an SQLite database"};
  }
  page_size_ = big_endian_16(&header_[16]) == 1 ? 65536 : big_endian_16(&header_[16]);
  if (page_size_ < 512 || !std::has_single_bit(page_size_))
    return Refusal{Reason::kHeader, "the page size is impossible"};
  const auto is_version = [](Byte version) { return version == 1 || version == 2; };
  const bool fractions = header_[21] == 64 && header_[22] == 32 && header_[23] == 32;
  const std::uint32_t schema_format = big_endian_32(&header_[44]);
  if (!is_version(header_[18]) || !is_version(header_[19]) || !fractions || schema_format < 1 || schema_format > 4) {
    return Refusal{Reason::kHeader, "the header is of an unknown SQLite format"};
  }
  if (header_[20] != 0) return Refusal{Reason::kReservedBytes, "the pages have reserved bytes"};
  constexpr std::uint32_t kUtf8 = 1, kUtf16BigEndian = 3;
  const std::uint32_t encoding = big_endian_32(&header_[56]);
  if (encoding < kUtf8 || encoding > kUtf16BigEndian)
    return Refusal{Reason::kHeader, "the header names no encoding of texts"};
  page_count_ = big_endian_32(&header_[28]);
  // The page count is valid only if both change counters agree (file format, section 1.3.7).
  if (big_endian_32(&header_[24]) != big_endian_32(&header_[92])) {
    return Refusal{Reason::kFileSize, "the header's page count is out of date"};
  }
  if (page_count_ == 0 || before_.size != std::uint64_t{page_count_} * page_size_) {
    return Refusal{Reason::kFileSize, "the file is not as long as its header says"};
  }
  return std::nullopt;
}

std::optional<Refusal> PageFile::mark_free(std::uint32_t page) {
  if (page < 2 || page > page_count_ || free_[page]) {
    return Refusal{Reason::kFreeList, "the list of free pages names page " + std::to_string(page) + " wrongly"};
  }
  free_[page] = true;
  return std::nullopt;
}

std::optional<Refusal> PageFile::list_free_pages() {
  std::uint32_t trunk = big_endian_32(&header_[32]);
  const std::uint32_t promised = big_endian_32(&header_[36]);
  if (trunk == 0 && promised == 0) return std::nullopt;
  if (promised >= page_count_) return Refusal{Reason::kFreeList, "the list of free pages is longer than the file"};
  free_.resize(std::size_t{page_count_} + 1);
  std::vector<Byte> page(page_size_);
  std::uint32_t listed = 0;
  while (trunk != 0) {  // terminates: a page marked twice is an error
    if (auto refusal = mark_free(trunk)) return refusal;
    if (!read(trunk, page_size_, page.data())) return Refusal{Reason::kUnreadable, "the file ends early"};
    trunk = big_endian_32(page.data());
    const std::uint32_t leaves = big_endian_32(&page[4]);
    if (leaves > page_size_ / 4 - 2) return Refusal{Reason::kFreeList, "a page of the list of free pages is too full"};
    for (std::uint32_t i = 0; i < leaves; ++i) {
      if (auto refusal = mark_free(big_endian_32(&page[8 + 4 * std::size_t{i}]))) return refusal;
    }
    listed += 1 + leaves;
  }
  if (listed != promised) return Refusal{Reason::kFreeList, "the list of free pages is not as long as the header says"};
  return std::nullopt;
}

bool PageFile::may_hold_tree(std::uint32_t page) const {
  return page >= 1 && page <= page_count_ && page != kLockByte / page_size_ + 1 && (free_.empty() || !free_[page]);
}

bool PageFile::texts_are_utf8() const { return big_endian_32(&header_[56]) == 1; }

bool PageFile::has_pointer_maps() const { return big_endian_32(&header_[52]) != 0; }

std::optional<Refusal> PageFile::changed() const {
  const auto open_file = stamp(descriptor_->number);
  const auto named_file = stamp(path_);
  Header now{};
  // The change counter in the header reveals a write within one tick of the file system's clock.
  const bool same = open_file && named_file && *open_file == before_ && *named_file == before_ &&
                    read_at(0, kHeaderBytes, now.data()) && now == header_ && !has_log(path_);
  if (same) return std::nullopt;
  return Refusal{Reason::kChanged, "the file changed while it was read"};
}

}  // namespace assay::load::btree
