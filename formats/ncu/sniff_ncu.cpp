#include "formats/ncu/sniff_ncu.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/byte_order_mark.hpp"
#include "files/walk.hpp"

namespace assay::ncu {
namespace {

/// Replacements for ".ncu-rep" in the names of CSVs that are joined by stem.
constexpr const char* kCsvs[] = {".ncu.raw.csv", ".ncu.details.csv", ".ncu.csv", ".csv"};

/// Size of the searched prefix: a profiled program may print a lot before the header.
constexpr std::size_t kLooked = 1U << 16;

std::string beginning(const std::filesystem::path& file) {
  std::string text(kLooked, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  if (utf16) std::erase(text, '\0');  // the header is ASCII
  if (utf16) text.erase(0, 2);
  return std::string(without_byte_order_mark(text));
}

bool is_of_ncu(std::string_view line) {
  for (const std::string_view mark : {"==PROF== ", "==ERROR== ", "==WARNING== "}) {
    if (line.starts_with(mark)) return true;
  }
  return (line.starts_with("\"ID\",") && line.find(",\"Kernel Name\"") != std::string_view::npos) ||
         (line.starts_with("ID,") && line.find(",Kernel Name,") != std::string_view::npos);
}

/// Cells of a line; quotes around a cell are removed.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

}  // namespace

bool has_ncu_csv(const std::filesystem::path& report) {
  return std::ranges::any_of(kCsvs, [&](const char* extension) {
    std::filesystem::path csv = report;
    std::error_code ignored;
    return std::filesystem::exists(csv.replace_extension(extension), ignored) && is_ncu_csv(csv);
  });
}

std::string ncu_device(const std::filesystem::path& file) {
  const std::string text = beginning(file);
  std::optional<std::size_t> id, name;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = text.find('\n', from);
    if (end == std::string::npos) break;  // cut off
    const std::vector<std::string> cells = cells_of(std::string_view(text).substr(from, end - from));
    from = end + 1;
    const auto column = [&](std::string_view wanted) -> std::optional<std::size_t> {
      const auto at = std::ranges::find(cells, wanted);
      return at == cells.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - cells.begin()));
    };
    if (!name) {
      id = column("ID");
      name = id ? column("device__attribute_display_name") : std::nullopt;
    } else if (cells.size() > std::max(*id, *name) && !cells[*id].empty()) {  // the line of units has no ID
      return cells[*name];
    }
  }
  return {};
}

bool is_ncu_csv(const std::filesystem::path& file) {
  if (lower_extension(file) != ".csv") return false;
  const std::string text = beginning(file);
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    if (is_of_ncu(std::string_view(text).substr(from, end - from))) return true;
    from = end + 1;
  }
  return false;
}

}  // namespace assay::ncu
