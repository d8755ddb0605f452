#include "formats/ncu/source_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>

#include "formats/ncu/message.hpp"
#include "formats/ncu/number.hpp"

namespace assay::ncu {
namespace {

constexpr std::size_t kCounters = std::size(kSourceCounters);
constexpr double kMaxCount = 9e18;  // what an integer holds
/// Cells that are not counters; the first two are bits in a .ncu-rep.
enum Cell : std::size_t { kSamples, kSpace = kCounters, kAccess, kAddress, kText, kNotIssued, kNowhere };
constexpr std::pair<std::string_view, Cell> kHeadings[] = {{"Address Space", kSpace},
                                                           {"Access Operation", kAccess},
                                                           {"Address", kAddress},
                                                           {"Source", kText},
                                                           {"Warp Stall Sampling (All Samples)", kSamples},
                                                           {"Warp Stall Sampling (Not-issued Samples)", kNotIssued}};
constexpr std::pair<std::int64_t, std::string_view> kSpaces[] = {{4, "Global"}, {16, "Shared"}};
constexpr std::pair<std::int64_t, std::string_view> kAccesses[] = {{2, "Load"}, {4, "Store"}, {8, "Atomic"}};

/// "Load, Store"; empty if a bit is not known.
std::string text_of_bits(std::int64_t bits, std::span<const std::pair<std::int64_t, std::string_view>> names) {
  std::string text;
  for (const auto& [bit, name] : names) {
    if ((bits & bit) == 0) continue;
    text.append(text.empty() ? "" : ", ").append(name);
    bits &= ~bit;
  }
  return bits == 0 ? text : std::string();
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

/// The whole number of a value {2 float, 3 double, 4 and 5 integers}.
std::int64_t whole_number(std::string_view value) {
  double number = 0;
  Message message(value);
  for (Field field; message.next(field);) {
    if (field.number == 4 || field.number == 5)
      return field.value > std::uint64_t{INT64_MAX} ? kNoCell : static_cast<std::int64_t>(field.value);
    if (field.number == 2) number = field.as_float();
    if (field.number == 3) number = field.as_double();
  }
  return std::abs(number) < kMaxCount ? static_cast<std::int64_t>(number) : kNoCell;
}

/// A whole number as printed in any locale; kNoCell: none.
std::int64_t printed_count(std::string_view text) {
  const PrintedNumber number = printed_number(text);
  for (const auto& value : {number.point, number.comma}) {
    if (value && *value == std::floor(*value) && std::abs(*value) < kMaxCount) return static_cast<std::int64_t>(*value);
  }
  return kNoCell;
}

}  // namespace

SourceRows::SourceRows(TableSink& out) : out_(out) {
  for (std::size_t c = 0; c < kCounters; ++c) counters_.emplace(kSourceCounters[c].metric, c);
  counters_.emplace("memory_type", kSpace);
  counters_.emplace("memory_access_type", kAccess);
  cells_.resize(kAccess + 1);
}

void SourceRows::begin_file(const std::filesystem::path& file) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(file, failed);
  left_ = failed ? 0 : size / kInstructionBytes;
  sources_.clear();
  headings_.clear();
  page_ = {};
}

std::string_view SourceRows::Source::line(const std::string& path, std::uint32_t number) {
  const auto [at, is_new] = lines.try_emplace(path);
  Message message(bytes);
  for (Field field; is_new && message.next(field);) {  // 8 {1 files {1 path, 2 text}}
    if (field.number != 8 || !field.is_bytes()) continue;
    Message files(field.bytes);
    for (Field file; files.next(file);) {
      std::string_view name, text;
      Message parts(file.bytes);
      for (Field part; parts.next(part);) (part.number == 1 ? name : text) = part.bytes;
      if (name != path) continue;
      for (; !text.empty(); text.remove_prefix(std::min(text.find('\n') + 1, text.size()))) {
        at->second.push_back(trimmed(text.substr(0, text.find('\n'))));
        if (text.find('\n') == std::string_view::npos) break;
      }
    }
  }
  return number >= 1 && number <= at->second.size() ? at->second[number - 1] : std::string_view();
}

void SourceRows::add_source(std::string_view bytes) {
  Message message(bytes);
  for (Field field; message.next(field);) {
    if (field.number == 1 && !field.is_bytes()) sources_[field.value].bytes = bytes;
  }
}

void SourceRows::add_result(std::string_view bytes, StringId kernel, std::int64_t launch, const RepNames& names) {
  std::string_view function;
  std::uint64_t id = 0;
  std::vector<std::pair<std::size_t, std::string_view>> metrics;
  Message message(bytes);
  for (Field field; message.next(field);) {
    if (field.number == 5) function = field.bytes;
    Message inner(field.number == 15 || field.number == 13 ? field.bytes : std::string_view());
    Field first;
    if (!inner.next(first) || first.number != 1 || first.is_bytes()) continue;
    if (field.number == 15) id = first.value;
    if (field.number == 15 || first.value >= names.size()) continue;
    if (const auto at = counters_.find(names[first.value]); at != counters_.end())
      metrics.emplace_back(at->second, field.bytes);
  }
  const auto source = sources_.find(id);
  if (metrics.empty()) return;
  const std::size_t begin = places_.size();
  if (source != sources_.end()) add_code(source->second, function, {.kernel = kernel, .launch = launch});
  if (places_.size() == begin) {
    ++unplaced_;
    return;
  }
  for (auto& cells : cells_) cells.resize(places_.size(), kNoCell);
  for (const auto& [counter, metric] : metrics) add_counter(counter, metric, begin);
}

void SourceRows::add_code(Source& source, std::string_view function, PlaceCells cells) {
  constexpr std::size_t kMaxKernels = 1024;  // each reads the line table of the cubin once
  std::string_view cubin;
  Message message(source.bytes);
  for (Field part; message.next(part);) {  // 4 the cubin, 9 {1 functions {1 name, 2 address}}
    if (part.number == 4) cubin = part.bytes;
    Message functions(part.number == 9 ? part.bytes : std::string_view());
    for (Field one; functions.next(one);) {
      std::string_view name;
      Message inner(one.bytes);
      for (Field field; inner.next(field);) {
        if (field.number == 1) name = field.bytes;
        if (field.number == 2 && name == function) cells.address = static_cast<std::int64_t>(field.value);
      }
    }
  }
  auto known = source.codes.find(function);
  if (cells.address == kNone || (known == source.codes.end() && source.codes.size() >= kMaxKernels)) return;
  if (known == source.codes.end()) known = source.codes.emplace(function, kernel_code(cubin, function)).first;
  const KernelCode& code = known->second;
  if (code.instructions.size() > left_) return;
  left_ -= code.instructions.size();
  const auto begin = static_cast<std::int64_t>(places_.size());
  std::map<SourcePlace, std::pair<StringId, StringId>> texts;
  for (const Instruction& instruction : code.instructions) {
    const auto [at, is_new] = texts.try_emplace(instruction.place);
    const auto [file, line] = instruction.place;
    if (is_new && file > 0)
      at->second = {out_.intern(code.files[file]), out_.intern(source.line(code.files[file], line))};
    PlaceCells& row = places_.emplace_back(cells);
    std::tie(row.file, row.text) = at->second;
    row.line = file > 0 ? line : kNoCell;
    row.opcode = out_.intern(instruction.opcode);
    row.waits_for = instruction.waits_for == kNone ? kNone : begin + instruction.waits_for;
    cells.address += std::int64_t{kInstructionBytes};
  }
}

/// 3 {1 address, 2 value} of each instruction. One that is not listed counts 0 if others are, as on the page of ncu.
void SourceRows::add_counter(std::size_t counter, std::string_view metric, std::size_t begin) {
  const std::span<std::int64_t> cells = std::span(cells_[counter]).subspan(begin);
  bool is_measured = false;
  Message message(metric);
  for (Field field; message.next(field);) {
    if (!field.is_bytes() || field.number != 3) continue;
    if (!std::exchange(is_measured, true)) std::ranges::fill(cells, 0);
    std::string_view parts[2];
    Message instance(field.bytes);
    for (Field part; instance.next(part);) {
      if (part.is_bytes() && (part.number == 1 || part.number == 2)) parts[part.number - 1] = part.bytes;
    }
    const auto offset =
        static_cast<std::uint64_t>(whole_number(parts[0])) - static_cast<std::uint64_t>(places_[begin].address);
    if (offset % kInstructionBytes == 0 && offset / kInstructionBytes < cells.size())
      cells[offset / kInstructionBytes] = whole_number(parts[1]);
  }
}

bool SourceRows::add_text_row(std::span<const std::string> cells) {
  if (cells.size() >= 2 && cells[0] == "Kernel Name") {
    page_ = {.kernel = out_.intern(cells[1]), .launch = page_.launch + 1};
    headings_.clear();
    return true;
  }
  if (std::ranges::find(cells, "Address") != cells.end() && std::ranges::find(cells, "Source") != cells.end()) {
    headings_.clear();
    for (const std::string& heading : cells) {
      const auto at = std::ranges::find(kSourceCounters, heading, &SourceCounter::heading);
      const auto other = std::ranges::find(kHeadings, heading, &std::pair<std::string_view, Cell>::first);
      headings_.push_back(at != std::end(kSourceCounters) ? static_cast<std::size_t>(at - kSourceCounters)
                          : other != std::end(kHeadings)  ? other->second
                                                          : kNowhere);
    }
    return true;
  }
  const auto address = std::ranges::find(headings_, std::size_t{kAddress});
  if (address == headings_.end() || cells.size() < headings_.size()) return false;
  const std::string& first = cells[static_cast<std::size_t>(address - headings_.begin())];
  if (!first.starts_with("0x")) return true;  // a line of the source, whose instructions have rows of their own
  PlaceCells& row = places_.emplace_back(page_);
  std::from_chars(first.data() + 2, first.data() + first.size(), row.address, 16);
  for (auto& column : cells_) column.resize(places_.size(), kNoCell);
  for (std::size_t c = 0; c < headings_.size(); ++c) {
    const std::string_view cell = cells[c] == "-" ? std::string_view() : trimmed(cells[c]);
    if (headings_[c] < kCounters) cells_[headings_[c]].back() = printed_count(cell);
    if (headings_[c] == kSpace) row.space = out_.intern(cell);
    if (headings_[c] == kAccess) row.access = out_.intern(cell);
    if (headings_[c] == kText) row.instruction = out_.intern(cell);
    if (headings_[c] == kNotIssued) row.not_issued = printed_count(cell);
  }
  return true;
}

void SourceRows::finish() {
  if (places_.empty()) return;
  // 0 is what never ran, or accesses nothing.
  std::ranges::replace(cells_[counters_.at("memory_access_size_type")], 0, kNoCell);
  for (std::size_t r = 0; r < places_.size(); ++r) {
    PlaceCells& row = places_[r];
    const auto word = [&](Cell of, const auto& names) {
      return cells_[of][r] > 0 ? out_.intern(text_of_bits(cells_[of][r], names)) : 0;
    };
    if (row.space == 0) row.space = word(kSpace, kSpaces);
    if (row.access == 0) row.access = word(kAccess, kAccesses);
    const bool is_stated = row.not_issued != kNoCell;
    for (std::size_t c = 0; c < kCounters && !is_stated; ++c) {
      if (kSourceCounters[c].heading.ends_with("(Not Issued)") && cells_[c][r] > 0)
        row.not_issued = std::max<std::int64_t>(row.not_issued, 0) + cells_[c][r];
    }
    if (!is_stated && row.not_issued == kNoCell && cells_[0][r] != kNoCell) row.not_issued = 0;
  }
  DeclaredRows to(out_, kSourceTables[0].name.view(), places_.size());
  const auto texts = [&](const char* column, StringId PlaceCells::* cell) {
    std::ranges::transform(places_, to.texts(column).begin(), cell);
  };
  const auto integers = [&](const char* column, std::int64_t PlaceCells::* cell) {
    std::ranges::transform(places_, to.integers(column).begin(), cell);
  };
  texts("kernel", &PlaceCells::kernel), texts("instruction", &PlaceCells::instruction);
  texts("opcode", &PlaceCells::opcode), texts("file", &PlaceCells::file), texts("text", &PlaceCells::text);
  texts("address_space", &PlaceCells::space), texts("access", &PlaceCells::access);
  integers("launch", &PlaceCells::launch), integers("address", &PlaceCells::address);
  integers("line", &PlaceCells::line), integers("waits_for", &PlaceCells::waits_for);
  integers("samples_not_issued", &PlaceCells::not_issued);
  for (std::size_t c = 0; c < kCounters; ++c)
    std::ranges::copy(cells_[c], to.integers(kSourceCounters[c].column.view()).begin());
}

}  // namespace assay::ncu
