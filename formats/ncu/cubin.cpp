#include "formats/ncu/cubin.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "formats/ncu/byte_reader.hpp"

namespace assay::ncu {
namespace {

/// The low 9 bits of an instruction, without its form, as ncu disassembles them on sm_90. Not all are listed.
constexpr std::pair<std::uint16_t, std::string_view> kOpcodes[] = {
    {0x002, "MOV"},    {0x003, "P2R"},   {0x005, "CS2R"},  {0x007, "SEL"},    {0x008, "FSEL"},  {0x00B, "FSETP"},
    {0x00C, "ISETP"},  {0x010, "IADD3"}, {0x011, "LEA"},   {0x012, "LOP3"},   {0x019, "SHF"},   {0x01C, "PLOP3"},
    {0x020, "FMUL"},   {0x021, "FADD"},  {0x023, "FFMA"},  {0x024, "IMAD"},   {0x025, "IMAD"},  {0x028, "DMUL"},
    {0x029, "DADD"},   {0x02A, "DSETP"}, {0x02B, "DFMA"},  {0x035, "HFMA2"},  {0x036, "VIADD"}, {0x046, "VIADDMNMX"},
    {0x048, "VIMNMX"}, {0x082, "UMOV"},  {0x086, "VOTEU"}, {0x090, "UIADD3"}, {0x091, "ULEA"},  {0x099, "USHF"},
    {0x0B9, "ULDC"},   {0x0BD, "UFLO"},  {0x108, "MUFU"},  {0x109, "POPC"},   {0x110, "F2F"},   {0x118, "NOP"},
    {0x119, "S2R"},    {0x11D, "BAR"},   {0x141, "BSYNC"}, {0x144, "CALL"},   {0x145, "BSSY"},  {0x147, "BRA"},
    {0x14D, "EXIT"},   {0x150, "RET"},   {0x181, "LDG"},   {0x182, "LDC"},    {0x184, "LDS"},   {0x186, "STG"},
    {0x188, "STS"},    {0x189, "SHFL"},  {0x18F, "CCTL"},  {0x192, "MEMBAR"}, {0x1A8, "ATOMG"}, {0x1AB, "ERRBAR"},
    {0x1C3, "S2UR"}};

std::string_view opcode_of(std::uint64_t low) {
  if ((low & 0xFFFU) == 0x5AB) return "CGAERRBAR";  // a form of its own of 0x1AB
  const auto* const at =
      std::ranges::lower_bound(kOpcodes, low & 0x1FFU, {}, [](const auto& one) { return one.first; });
  return at != std::end(kOpcodes) && at->first == (low & 0x1FFU) ? at->second : std::string_view();
}

struct Section {
  std::string_view name, bytes;
  std::uint32_t link = 0;
};

/// Sections of a 64-bit ELF file; those outside the file are empty.
std::vector<Section> sections_of(std::string_view elf) {
  const auto header = ByteReader(elf).number<Elf64_Ehdr>();
  if (!elf.starts_with(ELFMAG) || header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > elf.size()) return {};
  const auto bytes_of = [&](const Elf64_Shdr& section) {
    const bool is_inside = section.sh_offset <= elf.size() && section.sh_type != SHT_NOBITS;
    return is_inside ? ByteReader(elf.substr(section.sh_offset)).part(section.sh_size) : std::string_view();
  };
  std::vector<Elf64_Shdr> headers;
  for (ByteReader table(elf.substr(header.e_shoff)); headers.size() < header.e_shnum && !table.at_end();)
    headers.push_back(table.number<Elf64_Shdr>());
  if (header.e_shstrndx >= headers.size()) return {};
  const std::string_view names = bytes_of(headers[header.e_shstrndx]);
  std::vector<Section> sections;
  for (const Elf64_Shdr& section : headers) {
    const std::string_view name = names.substr(std::min<std::size_t>(section.sh_name, names.size()));
    sections.push_back({name.substr(0, name.find('\0')), bytes_of(section), section.sh_link});
  }
  return sections;
}

/// Where addresses of the line table point to: place of the address in the table, to section and offset.
using Targets = std::map<std::uint64_t, std::pair<std::size_t, std::uint64_t>>;

Targets targets_of(const std::vector<Section>& sections) {
  Targets targets;
  const auto at = std::ranges::find(sections, ".rela.debug_line", &Section::name);
  if (at == sections.end() || at->link >= sections.size()) return targets;
  const std::string_view symbols = sections[at->link].bytes;
  for (ByteReader entries(at->bytes); !entries.at_end();) {
    const auto entry = entries.number<Elf64_Rela>();
    const std::uint64_t place = ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym);
    if (place >= symbols.size()) continue;
    const auto symbol = ByteReader(symbols.substr(place)).number<Elf64_Sym>();
    targets[entry.r_offset] = {symbol.st_shndx, symbol.st_value + static_cast<std::uint64_t>(entry.r_addend)};
  }
  return targets;
}

/// Runs line programs of DWARF 2 to 4 (dwarfstd.org, section 6.2). ptxas writes them without a .debug_info, from which
/// libraries for DWARF start, and only relocations tell which kernel an address is in.
class LineProgram {
 public:
  /// `section`: of the kernel; `is_only`: the cubin has no other kernel.
  LineProgram(std::string_view table, Targets targets, std::size_t section, bool is_only, KernelCode& code)
      : table_(table), targets_(std::move(targets)), section_(section), is_only_(is_only), code_(code) {}

  void run() {
    marked_.resize(code_.instructions.size());
    for (ByteReader units(table_); !units.at_end();) {
      const auto bytes = units.number<std::uint32_t>();
      run_unit(ByteReader(units.part(std::min<std::uint64_t>(bytes, units.left()))));
    }
    for (std::size_t i = 1; i < marked_.size(); ++i) {
      if (!marked_[i]) code_.instructions[i].place = code_.instructions[i - 1].place;
    }
  }

 private:
  struct State {
    std::uint64_t address = 0, file = 1, line = 1;
    bool is_of_kernel = false;
  };

  void run_unit(ByteReader unit) {
    const auto version = unit.number<std::uint16_t>();
    if (version < 2 || version > 4) return;
    ByteReader header(unit.part(unit.number<std::uint32_t>()));
    step_ = header.number<std::uint8_t>();
    header.part(version == 4 ? 2U : 1U);  // operations per instruction of a VLIW machine; whether rows are statements
    line_base_ = header.number<std::int8_t>();
    line_range_ = header.number<std::uint8_t>();
    first_special_ = header.number<std::uint8_t>();
    if (line_range_ == 0 || first_special_ == 0) return;
    operands_ = header.part(static_cast<std::uint64_t>(first_special_ - 1));
    read_files(header);
    state_ = {};
    while (!unit.at_end()) run_opcode(unit);
  }

  void read_files(ByteReader& header) {
    constexpr std::size_t kMaxFiles = 4096, kMaxPath = 4096;
    std::vector<std::string_view> folders{{}};
    for (std::string_view folder = header.text(); !folder.empty(); folder = header.text())
      folders.push_back(folder.substr(0, kMaxPath));
    file_ids_.assign(1, 0);
    for (std::string_view name = header.text(); !name.empty(); name = header.text()) {
      const std::uint64_t folder = header.unsigned_leb();
      header.unsigned_leb();  // time and size of the file
      header.unsigned_leb();
      const bool is_kept = code_.files.size() < kMaxFiles;
      file_ids_.push_back(is_kept ? static_cast<std::uint32_t>(code_.files.size()) : 0);
      if (!is_kept) continue;
      std::string& path = code_.files.emplace_back(folder < folders.size() ? folders[folder] : std::string_view());
      if (!path.empty()) path += '/';
      path += name.substr(0, kMaxPath);
    }
  }

  void run_opcode(ByteReader& unit) {
    const auto opcode = unit.number<std::uint8_t>();
    if (opcode >= first_special_) {
      advance(static_cast<std::uint64_t>((opcode - first_special_) / line_range_));
      state_.line += static_cast<std::uint64_t>(line_base_ + (opcode - first_special_) % line_range_);
      return mark_line();
    }
    switch (opcode) {
      case 0:
        return run_extended(unit.part(unit.unsigned_leb()));
      case 1:
        return mark_line();
      case 2:
        return advance(unit.unsigned_leb());
      case 3:
        state_.line += static_cast<std::uint64_t>(unit.signed_leb());
        return;
      case 4:
        state_.file = unit.unsigned_leb();
        return;
      case 8:
        return advance(static_cast<std::uint64_t>((255 - first_special_) / line_range_));
      case 9:
        state_.address += unit.number<std::uint16_t>();
        return;
      default:
        for (int left = operands_.size() >= opcode ? operands_[opcode - 1U] : 0; left > 0; --left) unit.unsigned_leb();
    }
  }

  void run_extended(std::string_view bytes) {
    constexpr std::uint8_t kEndSequence = 1, kSetAddress = 2;
    ByteReader operand(bytes);
    const auto opcode = operand.number<std::uint8_t>();
    if (opcode == kSetAddress) {
      const auto at = targets_.find(static_cast<std::uint64_t>(bytes.data() + 1 - table_.data()));
      state_.is_of_kernel = at == targets_.end() ? is_only_ && targets_.empty() : at->second.first == section_;
      state_.address = at == targets_.end() ? operand.number<std::uint64_t>() : at->second.second;
    } else if (opcode == kEndSequence) {
      mark({});
      state_ = {};
    }
  }

  void advance(std::uint64_t steps) { state_.address += steps * step_; }
  void mark_line() {
    const std::uint32_t file = state_.file < file_ids_.size() ? file_ids_[state_.file] : 0;
    mark({file, file == 0 ? 0 : static_cast<std::uint32_t>(state_.line)});
  }
  /// Of the instruction at the address, and of those after it without a mark.
  void mark(SourcePlace place) {
    const std::uint64_t at = state_.address / kInstructionBytes;
    if (!state_.is_of_kernel || at >= marked_.size()) return;
    marked_[at] = true;
    code_.instructions[at].place = place;
  }

  std::string_view table_;
  Targets targets_;
  std::size_t section_;
  bool is_only_;
  KernelCode& code_;
  std::vector<bool> marked_;
  std::vector<std::uint32_t> file_ids_;
  std::string_view operands_;
  State state_;
  std::uint64_t step_ = 1;
  int line_base_ = 0, line_range_ = 1, first_special_ = 1;
};

/// Scoreboards of an instruction since Volta: bits 110 and 113 on, three each: those it sets (7: none); 116 on: a mask
/// of those it waits for.
void add_instructions(std::string_view code, std::vector<Instruction>& to) {
  constexpr std::size_t kScoreboards = 6;
  std::array<std::int32_t, kScoreboards> last_set;
  last_set.fill(kNone);
  to.resize(code.size() / kInstructionBytes);
  ByteReader words(code);
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i].opcode = opcode_of(words.number<std::uint64_t>());
    const std::uint64_t control = words.number<std::uint64_t>() >> 46U;
    for (std::size_t s = 0; s < kScoreboards; ++s) {
      if ((control >> (6 + s) & 1U) != 0) to[i].waits_for = std::max(to[i].waits_for, last_set[s]);
    }
    for (const std::size_t set : {control & 7U, control >> 3U & 7U}) {
      if (set < kScoreboards) last_set[set] = static_cast<std::int32_t>(i);
    }
  }
}

}  // namespace

KernelCode kernel_code(std::string_view cubin, std::string_view kernel) {
  KernelCode code{{}, {{}}};
  const std::vector<Section> sections = sections_of(cubin);
  constexpr std::string_view kText = ".text.";
  const auto text = std::ranges::find_if(sections, [&](const Section& section) {
    return section.name.starts_with(kText) && section.name.substr(kText.size()) == kernel;
  });
  const auto table = std::ranges::find(sections, ".debug_line", &Section::name);
  if (text == sections.end()) return code;
  add_instructions(text->bytes, code.instructions);
  if (table == sections.end()) return code;
  const auto kernels = std::ranges::count_if(sections, [&](const auto& one) { return one.name.starts_with(kText); });
  LineProgram(table->bytes, targets_of(sections), static_cast<std::size_t>(text - sections.begin()), kernels == 1, code)
      .run();
  return code;
}

}  // namespace assay::ncu
