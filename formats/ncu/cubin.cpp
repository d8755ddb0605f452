#include "formats/ncu/cubin.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

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

/// Reads untrusted bytes from the front. What exceeds them is 0 or empty, and leaves nothing to read.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  std::string_view part(std::uint64_t bytes) {
    const std::string_view taken = bytes <= rest_.size() ? rest_.substr(0, bytes) : std::string_view();
    rest_.remove_prefix(std::min<std::uint64_t>(bytes, rest_.size()));
    return taken;
  }
  template <class T>
  T number() {
    T value{};
    if (const std::string_view bytes = part(sizeof(T)); !bytes.empty()) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  /// Up to a NUL, which is skipped.
  std::string_view text() {
    const std::string_view taken = rest_.substr(0, rest_.find('\0'));
    part(taken.size() + 1);
    return taken;
  }
  /// LEB128. `sign`: 0x40 if it is signed.
  std::uint64_t leb(unsigned sign = 0) {
    std::uint64_t value = 0;
    for (unsigned shift = 0, byte = 0x80; (byte & 0x80U) != 0 && !at_end();) {
      byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7FU} << shift;
      shift += 7;
      if ((byte & 0x80U) == 0 && (byte & sign) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
    }
    return value;
  }

 private:
  std::string_view rest_;
};

struct Section {
  std::string_view name, bytes;
  std::uint32_t link = 0;
};

/// Sections of a 64-bit ELF file; those outside the file are empty.
std::vector<Section> sections_of(std::string_view elf) {
  const auto header = ByteReader(elf).number<Elf64_Ehdr>();
  if (!elf.starts_with(ELFMAG) || header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > elf.size()) return {};
  std::vector<Elf64_Shdr> headers;
  for (ByteReader table(elf.substr(header.e_shoff)); headers.size() < header.e_shnum && !table.at_end();)
    headers.push_back(table.number<Elf64_Shdr>());
  const auto bytes_of = [&](const Elf64_Shdr& section) {
    if (section.sh_offset > elf.size() || section.sh_type == SHT_NOBITS) return std::string_view();
    return ByteReader(elf.substr(section.sh_offset)).part(section.sh_size);
  };
  const std::string_view names = header.e_shstrndx < headers.size() ? bytes_of(headers[header.e_shstrndx]) : "";
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
    const auto symbol = ByteReader(symbols.substr(std::min(place, symbols.size()))).number<Elf64_Sym>();
    targets[entry.r_offset] = {symbol.st_shndx, symbol.st_value + static_cast<std::uint64_t>(entry.r_addend)};
  }
  return targets;
}

/// Runs line programs of DWARF 2 and 3 (dwarfstd.org, section 6.2). ptxas writes them without a .debug_info, from which
/// libraries for DWARF start, and only relocations tell which kernel an address is in.
class LineProgram {
 public:
  /// `section`: of the kernel.
  LineProgram(std::string_view table, Targets targets, std::size_t section, KernelCode& code)
      : table_(table), targets_(std::move(targets)), section_(section), code_(code) {}

  void run() {
    std::vector<Instruction>& all = code_.instructions;
    marked_.resize(all.size());
    for (ByteReader units(table_); !units.at_end();) run_unit(ByteReader(units.part(units.number<std::uint32_t>())));
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (!marked_[i]) std::tie(all[i].file, all[i].line) = std::tie(all[i - 1].file, all[i - 1].line);
    }
  }

 private:
  struct State {
    std::uint64_t address = 0, file = 1, line = 1;
    bool is_of_kernel = false;
  };

  void run_unit(ByteReader unit) {
    const auto version = unit.number<std::uint16_t>();
    ByteReader header(unit.part(unit.number<std::uint32_t>()));
    step_ = header.number<std::uint8_t>();
    header.part(1);
    line_base_ = header.number<std::int8_t>();
    line_range_ = header.number<std::uint8_t>();
    first_special_ = header.number<std::uint8_t>();
    if (version < 2 || version > 3 || line_range_ == 0 || first_special_ == 0) return;
    operands_ = header.part(static_cast<std::uint64_t>(first_special_ - 1));
    read_files(header);
    for (state_ = {}; !unit.at_end();) run_opcode(unit);
  }

  void read_files(ByteReader& header) {
    constexpr std::size_t kMaxFiles = 4096, kMaxPath = 4096;
    std::vector<std::string_view> folders{{}};
    for (std::string_view folder = header.text(); !folder.empty(); folder = header.text()) folders.push_back(folder);
    first_file_ = code_.files.size();
    for (std::string_view name = header.text(); !name.empty(); name = header.text()) {
      const std::uint64_t folder = header.leb();
      header.leb(), header.leb();  // time and size of the file
      if (code_.files.size() > kMaxFiles) continue;
      std::string& path = code_.files.emplace_back(folder < folders.size() ? folders[folder].substr(0, kMaxPath) : "");
      path.append(path.empty() ? "" : "/").append(name.substr(0, kMaxPath));
    }
  }

  void run_opcode(ByteReader& unit) {
    const int opcode = unit.number<std::uint8_t>(), special = opcode - first_special_;
    if (special >= 0) {
      state_.line += static_cast<std::uint64_t>(line_base_ + special % line_range_);
      advance(special / line_range_);
    }
    if (special >= 0 || opcode == 1) return mark(state_.file == 0 ? 0 : state_.file + first_file_ - 1, state_.line);
    if (opcode == 0) return run_extended(unit.part(unit.leb()));
    if (opcode == 2) return advance(static_cast<std::int64_t>(unit.leb()));
    if (opcode == 8) return advance((255 - first_special_) / line_range_);
    if (opcode == 3) {
      state_.line += unit.leb(0x40);
    } else if (opcode == 4) {
      state_.file = unit.leb();
    } else if (opcode == 9) {
      state_.address += unit.number<std::uint16_t>();
    } else {
      const auto at = static_cast<std::size_t>(opcode - 1);
      for (int left = at < operands_.size() ? operands_[at] : 0; left > 0; --left) unit.leb();
    }
  }

  void run_extended(std::string_view bytes) {
    constexpr int kEndSequence = 1, kSetAddress = 2;
    const int opcode = bytes.empty() ? 0 : bytes.front();
    if (opcode == kSetAddress) {
      const auto at = targets_.find(static_cast<std::uint64_t>(bytes.data() + 1 - table_.data()));
      state_.is_of_kernel = at != targets_.end() && at->second.first == section_;
      if (state_.is_of_kernel) state_.address = at->second.second;
    } else if (opcode == kEndSequence) {
      mark(0, 0);
      state_ = {};
    }
  }

  void advance(std::int64_t steps) { state_.address += static_cast<std::uint64_t>(steps) * step_; }
  /// The line of the instruction at the address, and of those after it without a mark.
  void mark(std::uint64_t file, std::uint64_t line) {
    const std::uint64_t at = state_.address / std::uint64_t{kInstructionBytes};
    if (!state_.is_of_kernel || at >= marked_.size()) return;
    marked_[at] = true;
    const bool is_known = file > 0 && file < code_.files.size();
    code_.instructions[at].file = is_known ? static_cast<std::uint32_t>(file) : 0;
    code_.instructions[at].line = is_known ? static_cast<std::uint32_t>(line) : 0;
  }

  std::string_view table_, operands_;
  Targets targets_;
  std::size_t section_, first_file_ = 1;
  KernelCode& code_;
  std::vector<bool> marked_;
  State state_;
  std::uint64_t step_ = 1;
  int line_base_ = 0, line_range_ = 1, first_special_ = 1;
};

/// Scoreboards of an instruction since Volta: bits 110 and 113 on, three each: those it sets (7: none); 116 on: a mask
/// of those it waits for.
void add_instructions(std::string_view code, std::vector<Instruction>& to) {
  constexpr std::size_t kScoreboards = 6;
  std::array<std::int64_t, kScoreboards> last_set;
  last_set.fill(kNone);
  to.resize(code.size() / std::size_t{kInstructionBytes});
  ByteReader words(code);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto low = words.number<std::uint64_t>();
    const auto* const at =
        std::ranges::lower_bound(kOpcodes, low & 0x1FFU, {}, [](const auto& one) { return one.first; });
    if (at != std::end(kOpcodes) && at->first == (low & 0x1FFU)) to[i].opcode = at->second;
    if ((low & 0xFFFU) == 0x5AB) to[i].opcode = "CGAERRBAR";  // a form of its own of 0x1AB
    const std::uint64_t control = words.number<std::uint64_t>() >> 46U;
    for (std::size_t s = 0; s < kScoreboards; ++s) {
      if ((control >> (6 + s) & 1U) != 0) to[i].waits_for = std::max(to[i].waits_for, last_set[s]);
    }
    for (const std::size_t set : {control & 7U, control >> 3U & 7U}) {
      if (set < kScoreboards) last_set[set] = static_cast<std::int64_t>(i);
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
  if (text == sections.end()) return code;
  add_instructions(text->bytes, code.instructions);
  const auto table = std::ranges::find(sections, ".debug_line", &Section::name);
  if (table == sections.end()) return code;
  LineProgram(table->bytes, targets_of(sections), static_cast<std::size_t>(text - sections.begin()), code).run();
  return code;
}

}  // namespace assay::ncu
