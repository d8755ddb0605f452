#include "plugins/library_file.hpp"

#include <elf.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <span>
#include <system_error>
#include <vector>

namespace assay {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#else
constexpr Elf64_Half kMachine = EM_NONE;
#endif

/// As `uname -m` names it.
std::string machine_name(Elf64_Half machine, bool has_64_bits) {
  switch (machine) {
    case EM_X86_64:
      return has_64_bits ? "x86_64" : "x32";
    case EM_386:
      return "i386";
    case EM_AARCH64:
      return "aarch64";
    case EM_ARM:
      return "arm";
    case EM_PPC64:
      return "ppc64le";
    case EM_RISCV:
      return has_64_bits ? "riscv64" : "riscv32";
    case EM_S390:
      return "s390x";
    default:
      return "a machine with the ELF number " + std::to_string(machine);
  }
}

/// One read for all of them: each place that is gone to costs a block of the file.
template <class T>
bool read_at(std::ifstream& in, std::uint64_t offset, std::span<T> values) {
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(
      in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size_bytes())));
}

constexpr const char* kTruncated = "is truncated; copy or build it again";

std::string segment_problem(std::ifstream& in, const Elf64_Ehdr& header, std::uint64_t size) {
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (!read_at(in, header.e_phoff, std::span(segments))) return kTruncated;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) return kTruncated;
  }
  return {};
}

}  // namespace

std::string library_file_problem(const std::filesystem::path& file) {
  std::error_code ec;
  const std::filesystem::file_status status = std::filesystem::status(file, ec);
  if (!std::filesystem::exists(status)) return "does not exist or is a dangling link; remove it or build the plugin";
  if (!std::filesystem::is_regular_file(status)) return "is not a regular file; a plugin is a shared library";
  const std::uint64_t size = std::filesystem::file_size(file, ec);
  std::ifstream in(file, std::ios::binary);
  if (ec || !in) return "cannot be read; check its permissions";
  Elf64_Ehdr header{};
  if (!read_at(in, 0, std::span(&header, 1)) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return "is not a shared library (no ELF header); a plugin is what assay_add_plugin() builds";
  }
  const bool same_machine =
      header.e_ident[EI_CLASS] == ELFCLASS64 && (kMachine == EM_NONE || header.e_machine == kMachine);
  if (!same_machine) {
    // In the byte order of the file, which may differ from that of this machine.
    const bool big = header.e_ident[EI_DATA] == ELFDATA2MSB;
    const auto machine =
        static_cast<Elf64_Half>(big ? header.e_machine >> 8 | header.e_machine << 8 : header.e_machine);
    return fmt::format("is built for {}, this is {}; rebuild the plugin on this machine",
                       machine_name(machine, header.e_ident[EI_CLASS] == ELFCLASS64), machine_name(kMachine, true));
  }
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return "is an ELF file but not a shared library; link the plugin as a MODULE";
  }
  return segment_problem(in, header, size);
}

bool names_symbol(const std::filesystem::path& file, std::string_view symbol) {
  if (!library_file_problem(file).empty()) return false;
  std::ifstream in(file, std::ios::binary);
  Elf64_Ehdr header{};
  if (!read_at(in, 0, std::span(&header, 1))) return false;
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (!read_at(in, header.e_phoff, std::span(segments))) return false;
  constexpr std::uint64_t kMaxEntries = 4096;
  std::uint64_t address = 0, size = 0;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    std::vector<Elf64_Dyn> entries(std::min(segment.p_filesz / sizeof(Elf64_Dyn), kMaxEntries));
    if (!read_at(in, segment.p_offset, std::span(entries))) return false;
    for (const Elf64_Dyn& entry : entries) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_STRTAB) address = entry.d_un.d_ptr;
      if (entry.d_tag == DT_STRSZ) size = entry.d_un.d_val;
    }
  }
  constexpr std::uint64_t kMaxNames = std::uint64_t{16} << 20;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz)
      continue;
    const std::uint64_t begin = address - segment.p_vaddr;
    std::string names(std::min({size, segment.p_filesz - begin, kMaxNames}), '\0');
    in.clear();
    in.seekg(static_cast<std::streamoff>(segment.p_offset + begin));
    in.read(names.data(), static_cast<std::streamsize>(names.size()));
    return names.find('\0' + std::string(symbol) + '\0') != std::string::npos;
  }
  return false;
}

}  // namespace assay
