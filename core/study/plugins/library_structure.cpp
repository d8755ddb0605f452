#include "plugins/library_structure.hpp"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace assay {
namespace {

#if defined(__aarch64__)
constexpr std::uint64_t kRelative = R_AARCH64_RELATIVE, kIndirect = R_AARCH64_IRELATIVE, kCopy = R_AARCH64_COPY;
#else
constexpr std::uint64_t kRelative = R_X86_64_RELATIVE, kIndirect = R_X86_64_IRELATIVE, kCopy = R_X86_64_COPY;
#endif
constexpr std::uint64_t kWord = sizeof(Elf64_Addr);
// Tags that elf.h of older systems lacks.
constexpr Elf64_Sxword kPackedSize = 35, kPacked = 36;

/// What is damaged, thrown by the first check that fails and caught where the file was given.
struct Damage {
  const char* what;
};

void need(bool holds, const char* what) {
  if (!holds) throw Damage{what};
}

/// The bytes of a library and where its segments say that they lie in memory.
class Image {
 public:
  explicit Image(const std::filesystem::path& file) {
    std::error_code ec;
    const std::uint64_t size = std::filesystem::file_size(file, ec);
    need(!ec, kSegment);
    bytes_.resize(size);
    std::ifstream in(file, std::ios::binary);
    need(!!in.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size())), kSegment);
    const auto header = in_file<Elf64_Ehdr>(0, kSegment);
    for (std::uint64_t i = 0; i < header.e_phnum; ++i)
      segments_.push_back(in_file<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr), kSegment));
    check_segments();
  }

  /// Whether all of it lies in one segment that has these flags.
  [[nodiscard]] bool has(std::uint64_t address, std::uint64_t size, Elf64_Word flags = 0) const {
    return std::any_of(segments_.begin(), segments_.end(), [&](const Elf64_Phdr& s) {
      return s.p_type == PT_LOAD && (s.p_flags & flags) == flags && address >= s.p_vaddr && size <= s.p_memsz &&
             address - s.p_vaddr <= s.p_memsz - size;
    });
  }

  /// What lies at an address before anything is relocated; throws what it is where the file has nothing for it.
  template <class T>
  [[nodiscard]] T at(std::uint64_t address, const char* what) const {
    for (const Elf64_Phdr& s : segments_) {
      if (s.p_type == PT_LOAD && address >= s.p_vaddr && sizeof(T) <= s.p_filesz &&
          address - s.p_vaddr <= s.p_filesz - sizeof(T))
        return in_file<T>(s.p_offset + (address - s.p_vaddr), what);
    }
    throw Damage{what};
  }

  [[nodiscard]] const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }  ///< of the last segment, in whole pages
  [[nodiscard]] std::uint64_t file_size() const { return bytes_.size(); }

 private:
  static constexpr const char* kSegment = "a segment";

  template <class T>
  [[nodiscard]] T in_file(std::uint64_t offset, const char* what) const {
    need(offset <= bytes_.size() && sizeof(T) <= bytes_.size() - offset, what);
    T value{};
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  void check_segments() {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 46;
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    for (const Elf64_Phdr& s : segments_) {
      if (s.p_type != PT_LOAD) continue;
      const std::uint64_t align = std::max(s.p_align, std::uint64_t{1});
      need((align & (align - 1)) == 0 && (s.p_vaddr - s.p_offset) % align == 0, kSegment);
      need(s.p_filesz <= s.p_memsz && s.p_vaddr < kMost && s.p_memsz < kMost && s.p_vaddr >= end_, kSegment);
      end_ = s.p_vaddr + s.p_memsz;
    }
    end_ = (end_ + page - 1) / page * page;
    for (const Elf64_Phdr& s : segments_) {
      const bool read = s.p_type == PT_TLS || s.p_type == PT_NOTE || s.p_type == PT_GNU_PROPERTY ||
                        s.p_type == PT_GNU_EH_FRAME || s.p_type == PT_PHDR;
      if (read) need(has(s.p_vaddr, s.p_filesz), kSegment);
      if (s.p_type == PT_GNU_RELRO) need(has(s.p_vaddr, 0) && s.p_memsz <= end_ - s.p_vaddr, kSegment);
    }
  }

  std::vector<char> bytes_;
  std::vector<Elf64_Phdr> segments_;
  std::uint64_t end_ = 0;
};

class Structure {
 public:
  explicit Structure(const Image& image) : image_(image) { read_dynamic_section(); }

  void check() {
    check_names();
    find_versions();
    check_hash_table();
    check_functions();
    check_relocations(DT_RELA, DT_RELASZ, value(DT_RELACOUNT).value_or(0));
    check_relocations(DT_JMPREL, DT_PLTRELSZ, 0);
    check_packed_relocations();
  }

 private:
  [[nodiscard]] std::optional<std::uint64_t> value(Elf64_Sxword tag) const {
    const auto found = dynamic_.find(tag);
    return found == dynamic_.end() ? std::nullopt : std::optional(found->second);
  }

  struct Part {
    std::uint64_t from = 0, size = 0;
  };
  /// A table and its size or count, which the loader asks for wherever the table is named; none: of size 0.
  [[nodiscard]] Part part(Elf64_Sxword tag, Elf64_Sxword size_tag, const char* what) const {
    const auto from = value(tag), size = value(size_tag);
    if (!from) return {};
    need(size.has_value(), what);
    return {*from, *size};
  }

  void read_dynamic_section() {
    constexpr const char* kWhat = "the dynamic section";
    const auto is_it = [](const Elf64_Phdr& s) { return s.p_type == PT_DYNAMIC; };
    const auto& segments = image_.segments();
    const auto segment = std::find_if(segments.begin(), segments.end(), is_it);
    need(segment != segments.end() && image_.has(segment->p_vaddr, segment->p_memsz, PF_W), kWhat);
    need(segment->p_vaddr % kWord == 0, kWhat);
    for (std::uint64_t at = segment->p_vaddr;; at += sizeof(Elf64_Dyn)) {
      need(at - segment->p_vaddr < segment->p_memsz, kWhat);
      const auto entry = image_.at<Elf64_Dyn>(at, kWhat);
      if (entry.d_tag == DT_NULL) break;
      dynamic_[entry.d_tag] = entry.d_un.d_val;
      if (entry.d_tag == DT_NEEDED) needed_.push_back(entry.d_un.d_val);
    }
    need(value(DT_STRTAB) && value(DT_STRSZ) && value(DT_SYMTAB), kWhat);
    need(value(DT_RELAENT).value_or(sizeof(Elf64_Rela)) == sizeof(Elf64_Rela), kWhat);
    need(value(DT_PLTREL).value_or(DT_RELA) == DT_RELA && !value(DT_REL), kWhat);
    // The loader makes segments writable for these.
    text_is_relocated_ = value(DT_TEXTREL).has_value() || (value(DT_FLAGS).value_or(0) & DF_TEXTREL) != 0;
  }

  void check_name(std::uint64_t offset) const { need(offset < names_size_, "a name"); }

  void check_names() {
    names_size_ = *value(DT_STRSZ);
    need(names_size_ > 0 && image_.has(*value(DT_STRTAB), names_size_), "the table of names");
    need(image_.at<char>(*value(DT_STRTAB) + names_size_ - 1, "the table of names") == '\0', "the table of names");
    for (const std::uint64_t name : needed_) check_name(name);
    for (const Elf64_Sxword tag : {DT_SONAME, DT_RPATH, DT_RUNPATH, DT_AUXILIARY, DT_FILTER})
      if (const auto name = value(tag)) check_name(*name);
  }

  /// The indices that symbols may name; the loader keeps an array of as many.
  void find_versions() {
    constexpr const char* kWhat = "a version of a symbol";
    constexpr unsigned kHidden = 0x8000;
    const Part needed = part(DT_VERNEED, DT_VERNEEDNUM, kWhat), defined = part(DT_VERDEF, DT_VERDEFNUM, kWhat);
    std::uint64_t at = needed.from;
    for (std::uint64_t n = needed.size; n > 0; --n) {
      const auto file = image_.at<Elf64_Verneed>(at, kWhat);
      check_name(file.vn_file);
      std::uint64_t version_at = at + file.vn_aux;
      for (unsigned v = 0; v < file.vn_cnt; ++v) {
        const auto version = image_.at<Elf64_Vernaux>(version_at, kWhat);
        check_name(version.vna_name);
        last_version_ = std::max(last_version_, version.vna_other & ~kHidden);
        need((version.vna_next == 0) == (v + 1 == file.vn_cnt), kWhat);
        version_at += version.vna_next;
      }
      need((file.vn_next == 0) == (n == 1), kWhat);
      at += file.vn_next;
    }
    at = defined.from;
    for (std::uint64_t n = defined.size; n > 0; --n) {
      const auto version = image_.at<Elf64_Verdef>(at, kWhat);
      check_name(image_.at<Elf64_Verdaux>(at + version.vd_aux, kWhat).vda_name);
      last_version_ = std::max(last_version_, version.vd_ndx & ~kHidden);
      need((version.vd_next == 0) == (n == 1), kWhat);
      at += version.vd_next;
    }
  }

  void check_symbol(std::uint64_t index) const {
    constexpr const char* kWhat = "a symbol";
    need(index <= image_.file_size() / sizeof(Elf64_Sym), kWhat);
    const auto symbol = image_.at<Elf64_Sym>(*value(DT_SYMTAB) + index * sizeof(Elf64_Sym), kWhat);
    check_name(symbol.st_name);
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    const bool is_here = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS && type != STT_TLS;
    if (is_here) need(symbol.st_value <= image_.end(), kWhat);
    if (is_here && type == STT_GNU_IFUNC) need(image_.has(symbol.st_value, 1, PF_X), kWhat);
    if (const auto versions = value(DT_VERSYM)) {
      const auto version = image_.at<Elf64_Half>(*versions + index * sizeof(Elf64_Half), "a version of a symbol");
      need((version & 0x7fffU) <= last_version_, "a version of a symbol");
    }
  }

  /// GNU hash table: header, words of a Bloom filter, heads of chains, chains whose last hash is odd.
  void check_hash_table() const {
    constexpr const char* kWhat = "the hash table of symbols";
    constexpr std::uint64_t kHash = sizeof(std::uint32_t);
    const auto table = value(DT_GNU_HASH);
    if (!table) return;
    const auto [heads, first, words, shift] = image_.at<std::array<std::uint32_t, 4>>(*table, kWhat);
    need(heads > 0 && words > 0 && (words & (words - 1)) == 0, kWhat);
    const std::uint64_t filter = *table + 4 * kHash, heads_at = filter + words * kWord,
                        chains = heads_at + heads * kHash;
    need(image_.has(filter, words * kWord + heads * kHash), kWhat);
    std::uint64_t left = image_.file_size() / kHash;  // chains do not share their ends
    for (std::uint64_t h = 0; h < heads; ++h) {
      std::uint64_t symbol = image_.at<std::uint32_t>(heads_at + h * kHash, kWhat);
      if (symbol == 0) continue;
      need(symbol >= first, kWhat);
      for (bool last = false; !last; ++symbol) {
        need(left-- > 0, kWhat);
        last = (image_.at<std::uint32_t>(chains + (symbol - first) * kHash, kWhat) & 1) != 0;
        check_symbol(symbol);
      }
    }
  }

  void check_functions() const {
    constexpr const char* kWhat = "a function that runs when it is loaded or closed";
    for (const Elf64_Sxword tag : {DT_INIT, DT_FINI})
      if (const auto function = value(tag)) need(image_.has(*function, 1, PF_X), kWhat);
    for (const auto& [tag, size_tag] : {std::pair{DT_INIT_ARRAY, DT_INIT_ARRAYSZ}, {DT_FINI_ARRAY, DT_FINI_ARRAYSZ}}) {
      const Part list = part(tag, size_tag, kWhat);
      if (value(tag)) need(image_.has(list.from, list.size), kWhat);
    }
  }

  void check_place(std::uint64_t address) const {
    need(image_.has(address, kWord, text_is_relocated_ ? 0 : PF_W), kRelocation);
  }

  /// The loader takes the first `relative` for what they should be, whatever they say.
  void check_relocations(Elf64_Sxword tag, Elf64_Sxword size_tag, std::uint64_t relative) const {
    const auto [from, size] = part(tag, size_tag, kRelocation);
    need(size <= image_.file_size() && relative <= size / sizeof(Elf64_Rela), kRelocation);
    for (std::uint64_t n = 0; n < size / sizeof(Elf64_Rela); ++n) {
      const auto relocation = image_.at<Elf64_Rela>(from + n * sizeof(Elf64_Rela), kRelocation);
      const std::uint64_t type = ELF64_R_TYPE(relocation.r_info);
      const auto target = static_cast<std::uint64_t>(relocation.r_addend);
      if (type == 0 && n >= relative) continue;  // NONE on every machine
      check_place(relocation.r_offset);
      if (n < relative || type == kRelative) {
        need(target <= image_.end(), kRelocation);
      } else if (type == kIndirect) {
        need(image_.has(target, 1, PF_X), kRelocation);
      } else {
        need(type != kCopy, kRelocation);  // only programs have these
        check_symbol(ELF64_R_SYM(relocation.r_info));
      }
    }
  }

  /// RELR: an even word is the place of one, an odd one has a bit for each of the 63 words behind the last.
  void check_packed_relocations() const {
    const auto [from, size] = part(kPacked, kPackedSize, kRelocation);
    need(size <= image_.file_size(), kRelocation);
    std::uint64_t place = 0;
    for (std::uint64_t at = from; at + kWord <= from + size; at += kWord) {
      const auto entry = image_.at<std::uint64_t>(at, kRelocation);
      if ((entry & 1) == 0) {
        check_place(entry);
        place = entry + kWord;
        continue;
      }
      for (std::uint64_t bit = 0; bit < 63; ++bit)
        if ((entry >> (bit + 1) & 1) != 0) check_place(place + bit * kWord);
      place += 63 * kWord;
    }
  }

  static constexpr const char* kRelocation = "a relocation";
  const Image& image_;
  std::map<Elf64_Sxword, std::uint64_t> dynamic_;
  std::vector<std::uint64_t> needed_;
  std::uint64_t names_size_ = 0;
  unsigned last_version_ = 1;  // 0 and 1: local and global
  bool text_is_relocated_ = false;
};

}  // namespace

std::string library_structure_problem(const std::filesystem::path& file) try {
  const Image image(file);
  Structure(image).check();
  return {};
} catch (const Damage& damage) {
  return std::string("is damaged (") + damage.what + " lies outside of it); copy or build it again";
}

}  // namespace assay
