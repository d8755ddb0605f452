#include "formats/ncu/text_rows.hpp"

#include <csv.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "files/byte_order_mark.hpp"

namespace assay::ncu {
namespace {

constexpr std::size_t kPiece = 1U << 20;
constexpr std::size_t kLongestRow = 16U << 20;
constexpr std::size_t kKeptErrors = 500;  // bytes of error text: enough for the message of ncu, short enough to print

using FreedParser = std::unique_ptr<csv_parser, void (*)(csv_parser*)>;

/// Cells of one row, parsed by libcsv; empty if quotes do not match.
class RowParser {
 public:
  RowParser() { csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL); }
  RowParser(const RowParser&) = delete;
  RowParser& operator=(const RowParser&) = delete;
  ~RowParser() { csv_free(&parser_); }

  std::optional<std::span<const std::string>> cells(std::string_view row) {
    used_ = 0;
    const bool parsed = csv_parse(&parser_, row.data(), row.size(), &add_cell, nullptr, this) == row.size() &&
                        csv_fini(&parser_, &add_cell, nullptr, this) == 0;
    if (parsed) return std::span<const std::string>(cells_.data(), used_);
    csv_free(&parser_);
    csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL);
    return std::nullopt;
  }

 private:
  static void add_cell(void* text, std::size_t size, void* self) {
    auto& row = *static_cast<RowParser*>(self);
    if (row.used_ == row.cells_.size()) row.cells_.emplace_back();
    row.cells_[row.used_++].assign(static_cast<const char*>(text), size);
  }

  csv_parser parser_;
  std::vector<std::string> cells_;  // reused from row to row to keep their memory
  std::size_t used_ = 0;
};

bool begins_row(std::string_view line) { return line.starts_with('"'); }

/// `"0","1740670",`: certainly the start of a row, not the second line of a cell.
bool surely_begins_row(std::string_view line) {
  if (!begins_row(line)) return false;
  const std::size_t end = line.find("\",\"", 1);
  return end != std::string_view::npos && line.substr(1, end - 1).find_first_not_of("0123456789") == std::string::npos;
}

/// Position at which a row with many cells starts after other text: `"12","`; npos: none.
std::size_t glued_row(std::string_view line) {
  constexpr std::size_t kMinCells = 5;
  std::size_t tries = 16;  // a line may contain anything
  for (std::size_t at = line.find('"', 1); at != std::string_view::npos; at = line.find('"', at + 1)) {
    const std::size_t end = line.find_first_not_of("0123456789", at + 1);
    if (end == std::string_view::npos || end == at + 1 || !line.substr(end).starts_with("\",\"")) continue;
    std::size_t cells = 1;
    for (std::size_t next = end; next != std::string_view::npos && cells < kMinCells; ++cells)
      next = line.find("\",\"", next + 3);
    if (cells >= kMinCells) return at;
    if (--tries == 0) return std::string_view::npos;
  }
  return std::string_view::npos;
}

class TextLines {
 public:
  TextLines(const TakeRow& on_row, ReadProblems& around) : on_row_(on_row), around_(around) {}

  void line(std::string_view text) {
    ++number_;
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (!open_.empty() && surely_begins_row(text)) drop_open();
    if (!open_.empty()) return continue_row(text);
    if (text.starts_with("==")) return noise(text);
    if (begins_row(text)) return start_row(text);
    // Output without a newline, such as a progress bar, can precede a row on its line.
    if (const std::size_t at = without_quotes_ ? std::string_view::npos : glued_row(text); at != std::string_view::npos)
      return start_row(text.substr(at));
    const bool header = text.starts_with("ID,") && text.find("Kernel Name") != std::string_view::npos;
    without_quotes_ = without_quotes_ || header;
    if (without_quotes_ && text.find(',') != std::string_view::npos) row(text, number_);
  }
  void finish() {
    around_.cut_off = !open_.empty();
    open_.clear();
  }
  [[nodiscard]] std::size_t held() const { return open_.size(); }

 private:
  static bool odd_quotes(std::string_view text) { return std::count(text.begin(), text.end(), '"') % 2 != 0; }

  void start_row(std::string_view text) {
    opened_at_ = number_;
    if (!odd_quotes(text)) return row(text, number_);
    open_ = text;
  }
  void continue_row(std::string_view text) {
    open_.append("\n").append(text);
    if (!odd_quotes(text)) return;
    std::string whole;
    whole.swap(open_);
    row(whole, opened_at_);
  }
  void drop_open() {
    broken(opened_at_);
    open_.clear();
  }
  void broken(std::uint64_t at) {
    if (around_.broken++ == 0) around_.first_broken = at;
  }
  void row(std::string_view text, std::uint64_t at) {
    const bool has_nul = std::memchr(text.data(), 0, text.size()) != nullptr;
    const auto cells = has_nul ? std::nullopt : parser_.cells(text);
    cells ? on_row_(*cells, at) : broken(at);
  }
  void noise(std::string_view text) {
    constexpr std::string_view kMark = "==ERROR==";
    if (!text.starts_with(kMark)) return;
    ++around_.errors;
    text.remove_prefix(kMark.size());
    if (around_.error.size() + text.size() <= kKeptErrors) around_.error += text;
  }

  const TakeRow& on_row_;
  ReadProblems& around_;
  RowParser parser_;
  std::string open_;  // a row with an open quote
  std::uint64_t number_ = 0, opened_at_ = 0;
  bool without_quotes_ = false;
};

/// Passes on the whole lines of `text` and leaves the rest in it.
void send_lines(std::string& text, TextLines& lines) {
  std::size_t from = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', from)) {
    lines.line(std::string_view(text).substr(from, end - from));
    from = end + 1;
  }
  text.erase(0, from);
}

}  // namespace

ReadProblems read_text_rows(const std::filesystem::path& file, const TakeRow& on_row) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Unreadable(fmt::format("it cannot be read ({})", std::strerror(errno)), "check its permissions");
  ReadProblems around;
  TextLines lines(on_row, around);
  std::string text, piece(kPiece, '\0');
  for (bool first = true; in; first = false) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    std::string_view got(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (first && (got.starts_with("\xFF\xFE") || got.starts_with("\xFE\xFF"))) {
      throw Unreadable("it is UTF-16, as written by PowerShell's '>'; expected UTF-8",
                       "let ncu write the file with --log-file");
    }
    text += first ? without_byte_order_mark(got) : got;
    send_lines(text, lines);
    if (text.size() + lines.held() > kLongestRow) {
      throw Unreadable("it has a row of more than 16 MiB; expected a CSV of Nsight Compute", "export it again");
    }
  }
  if (in.bad()) throw Unreadable("it cannot be read to its end", "copy or export it again");
  if (!text.empty()) lines.line(text);
  lines.finish();
  return around;
}

}  // namespace assay::ncu
