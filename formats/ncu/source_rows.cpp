#include "formats/ncu/source_rows.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "formats/ncu/message.hpp"

namespace assay::ncu {
namespace {

/// Calls `use(field)` for each field of a message, as far as it can be read.
void each_field(std::string_view bytes, auto&& use) {
  Message message(bytes);
  for (Field field; message.next(field);) use(field);
}

/// The whole number of a value {2 float, 3 double, 4 and 5 integers}; none beyond 2^58, so that sums stay in range.
std::int64_t whole_number(std::string_view value) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 58U;
  std::int64_t number = kNoCell;
  each_field(value, [&](const Field& field) {
    if ((field.number == 4 || field.number == 5) && field.value < kMost)
      number = static_cast<std::int64_t>(field.value);
    const double real = field.number == 2 ? field.as_float() : field.number == 3 ? field.as_double() : std::nan("");
    if (std::abs(real) < double{kMost}) number = static_cast<std::int64_t>(real);
  });
  return number;
}

}  // namespace

SourceRows::SourceRows(TableSink& out) : out_(out), cells_(std::size(kSourceCounters)) {
  for (std::size_t c = 0; c < cells_.size(); ++c) counters_.emplace(kSourceCounters[c].metric, c);
}

void SourceRows::begin_file(std::uint64_t bytes) {
  left_ = bytes / std::uint64_t{kInstructionBytes};
  sources_.clear();
}

std::string_view SourceRows::Source::line(const std::string& path, std::uint32_t number) {
  const auto [at, is_new] = lines.try_emplace(path);
  each_field(is_new ? std::string_view(bytes) : std::string_view(), [&](const Field& field) {
    each_field(field.number == 8 ? field.bytes : std::string_view(), [&](const Field& file) {  // 8 {1 {1 path, 2 text}}
      std::string_view name, text;
      each_field(file.bytes, [&](const Field& part) { (part.number == 1 ? name : text) = part.bytes; });
      for (std::size_t begin = 0; name == path && begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::size_t first = std::min(text.find_first_not_of(" \t", begin), end);
        at->second.push_back(text.substr(first, text.find_last_not_of(" \t\r", end - 1) + 1 - first));
        begin = end + 1;
      }
    });
  });
  return number >= 1 && number <= at->second.size() ? at->second[number - 1] : std::string_view();
}

void SourceRows::add_source(std::string_view bytes) {
  each_field(bytes, [&](const Field& field) {
    if (field.number == 1 && !field.is_bytes()) sources_[field.value].bytes = bytes;
  });
}

void SourceRows::add_result(std::string_view bytes, StringId kernel, std::int64_t launch, const RepNames& names) {
  std::string_view function;
  std::uint64_t id = 0;  // of the source
  std::vector<std::pair<std::size_t, std::string_view>> metrics;
  each_field(bytes, [&](const Field& field) {
    Field first;
    if (field.number == 5) function = field.bytes;
    if ((field.number != 13 && field.number != 15) || !Message(field.bytes).next(first) || first.is_bytes()) return;
    if (field.number == 15) id = first.value;
    if (field.number == 15 || first.value >= names.size()) return;
    if (const auto at = counters_.find(names[first.value]); at != counters_.end())
      metrics.emplace_back(at->second, field.bytes);
  });
  if (metrics.empty()) return;
  const std::size_t begin = places_.size();
  const auto source = sources_.find(id);
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
  each_field(source.bytes, [&](const Field& part) {  // 4 the cubin, 9 {1 functions {1 name, 2 address}}
    if (part.number == 4) cubin = part.bytes;
    each_field(part.number == 9 ? part.bytes : std::string_view(), [&](const Field& one) {
      std::string_view name;
      each_field(one.bytes, [&](const Field& field) {
        if (field.number == 1) name = field.bytes;
        if (field.number == 2 && name == function) cells.address = static_cast<std::int64_t>(field.value);
      });
    });
  });
  auto known = source.codes.find(function);
  if (cells.address < 0 || cells.address > std::numeric_limits<std::int64_t>::max() / 2 ||
      (known == source.codes.end() && source.codes.size() >= kMaxKernels))
    return;
  if (known == source.codes.end()) known = source.codes.emplace(function, kernel_code(cubin, function)).first;
  const KernelCode& code = known->second;
  if (code.instructions.size() > left_) return;
  left_ -= code.instructions.size();
  const auto begin = static_cast<std::int64_t>(places_.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<StringId, StringId>> texts;
  for (const Instruction& instruction : code.instructions) {
    const auto [at, is_new] = texts.try_emplace({instruction.file, instruction.line});
    const std::string& path = code.files[instruction.file];
    if (is_new) at->second = {out_.intern(path), out_.intern(source.line(path, instruction.line))};
    PlaceCells& row = places_.emplace_back(cells);
    std::tie(row.file, row.text) = at->second;
    row.line = instruction.line;
    row.opcode = out_.intern(instruction.opcode);
    row.waits_for = instruction.waits_for == kNone ? kNone : begin + instruction.waits_for;
    cells.address += kInstructionBytes;
  }
}

/// 3 {1 address, 2 value} of each instruction. One that is not listed counts 0 if others are, as on the page of ncu.
void SourceRows::add_counter(std::size_t counter, std::string_view metric, std::size_t begin) {
  const std::span<std::int64_t> cells = std::span(cells_[counter]).subspan(begin);
  bool is_measured = false;
  each_field(metric, [&](const Field& field) {
    if (!field.is_bytes() || field.number != 3) return;
    if (!std::exchange(is_measured, true)) std::ranges::fill(cells, 0);
    std::int64_t address = kNone, value = kNoCell;
    each_field(field.bytes, [&](const Field& part) {
      if (part.number == 1) address = whole_number(part.bytes);
      if (part.number == 2) value = whole_number(part.bytes);
    });
    const std::uint64_t offset =
        static_cast<std::uint64_t>(address) - static_cast<std::uint64_t>(places_[begin].address);
    if (offset / kInstructionBytes >= cells.size()) return;
    cells[offset / kInstructionBytes] = value;
    if (kSourceCounters[counter].column.view().ends_with("_not_issued") && value > 0)
      places_[begin + offset / kInstructionBytes].not_issued += value;
  });
}

void SourceRows::finish() {
  if (places_.empty()) return;
  DeclaredRows to(out_, kSourceTables[0].name.view(), places_.size());
  const auto fill = [&](auto cells, auto member) { std::ranges::transform(places_, cells.begin(), member); };
  fill(to.texts("kernel"), &PlaceCells::kernel), fill(to.texts("opcode"), &PlaceCells::opcode);
  fill(to.texts("file"), &PlaceCells::file), fill(to.texts("text"), &PlaceCells::text);
  fill(to.integers("launch"), &PlaceCells::launch), fill(to.integers("address"), &PlaceCells::address);
  fill(to.integers("line"), &PlaceCells::line), fill(to.integers("waits_for"), &PlaceCells::waits_for);
  fill(to.integers("samples_not_issued"), &PlaceCells::not_issued);
  for (std::size_t c = 0; c < cells_.size(); ++c)
    std::ranges::copy(cells_[c], to.integers(kSourceCounters[c].column.view()).begin());
}

}  // namespace assay::ncu
