#include "formats/btree/plain_table.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "assay/detail/text.hpp"
#include "sqlite/database.hpp"

namespace assay::load::btree {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
/// Words, parentheses and commas of a statement; any other content ends the parse.
class Tokens {
 public:
  explicit Tokens(std::string_view sql) : rest_(sql) { advance(); }

  [[nodiscard]] std::string_view now() const { return now_; }
  /// Whether the next token is `token`; if so, consumes it.
  bool accept(std::string_view token) {
    if (!whole_ || now_ != token) return false;
    advance();
    return true;
  }
  /// The next token if it is a word; otherwise empty.
  std::string_view next_word() {
    const std::string_view word = whole_ && !now_.empty() && is_letter(now_[0]) ? now_ : std::string_view();
    if (!word.empty()) advance();
    return word;
  }
  /// Everything was read and understood.
  [[nodiscard]] bool at_end() const { return whole_ && now_.empty(); }

 private:
  void advance() {
    skip_gap();
    std::size_t length = rest_.empty() ? 0 : 1;
    if (length == 1 && is_letter(rest_[0])) {
      while (length < rest_.size() && (is_letter(rest_[length]) || is_digit(rest_[length]))) ++length;
    } else if (length == 1 && std::string_view("(),").find(rest_[0]) == std::string_view::npos) {
      whole_ = false;
    }
    now_ = rest_.substr(0, length);
    rest_.remove_prefix(length);
  }

  /// White space and comments to the end of their line, made of printable characters.
  void skip_gap() {
    bool comment = false;
    for (; !rest_.empty(); rest_.remove_prefix(1)) {
      const char c = rest_[0];
      comment = (comment || rest_.starts_with("--")) && c != '\n';
      const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!blank && !(comment && c > ' ' && c <= '~')) return;
    }
  }

  std::string_view rest_, now_;
  bool whole_ = true;
};

/// A name that is not a keyword of SQLite, or END, which nsys uses and SQLite accepts as a name there.
bool is_name(std::string_view word) {
  return !word.empty() && (word == "end" || sqlite3_keyword_check(word.data(), static_cast<int>(word.size())) == 0);
}

bool is_known_type(std::string_view word) {
  constexpr std::string_view kTypes[] = {"INTEGER", "INT", "BIGINT", "TEXT", "REAL", "FLOAT", "DOUBLE", "BLOB"};
  return std::ranges::find(kTypes, word) != std::end(kTypes);
}

std::optional<DeclaredColumn> column(Tokens& tokens) {
  DeclaredColumn made;
  made.name = tokens.next_word();
  if (!is_name(made.name)) return std::nullopt;
  if (is_known_type(tokens.now())) made.type = tokens.next_word();
  while (tokens.now() == "NOT" || tokens.now() == "PRIMARY") {
    bool& told = tokens.now() == "NOT" ? made.not_null : made.primary_key;
    const std::string_view second = tokens.next_word() == "NOT" ? "NULL" : "KEY";
    if (told || !tokens.accept(second)) return std::nullopt;
    told = true;
  }
  return made;
}

bool has_name(const std::vector<DeclaredColumn>& columns, std::string_view name) {
  return std::ranges::any_of(columns, [&](const DeclaredColumn& c) { return sqlite::same_name(c.name, name); });
}

}  // namespace

std::optional<std::vector<DeclaredColumn>> plain_columns(std::string_view sql, std::string_view table) {
  constexpr std::size_t kMaxColumns = 500;  // less than SQLite's limit
  Tokens tokens(sql);
  if (!is_name(table) || !tokens.accept("CREATE") || !tokens.accept("TABLE") || !tokens.accept(table) ||
      !tokens.accept("("))
    return std::nullopt;
  std::vector<DeclaredColumn> columns;
  bool key = false;
  do {
    const std::optional<DeclaredColumn> next = column(tokens);
    if (!next || has_name(columns, next->name) || (key && next->primary_key) || columns.size() == kMaxColumns)
      return std::nullopt;
    key = key || next->primary_key;
    columns.push_back(*next);
  } while (tokens.accept(","));
  if (!tokens.accept(")") || !tokens.at_end()) return std::nullopt;
  return columns;
}

std::optional<TableLayout> plain_layout(const std::vector<DeclaredColumn>& columns, std::uint32_t root) {
  const auto named = [&](std::string_view name) { return has_name(columns, name); };
  if (named("rowid") && named("oid") && named("_rowid_")) return std::nullopt;
  TableLayout layout{root, {}};
  for (const DeclaredColumn& column : columns) {
    // Only an INTEGER key is the row id itself. Other types have an index, and SQLite has its own rules for them.
    if (column.primary_key && column.type != "INTEGER") return std::nullopt;
    const std::string_view type = column.type;
    layout.columns.push_back({.name = column.name,
                              .is_row_id = column.primary_key,
                              .is_real = type == "REAL" || type == "FLOAT" || type == "DOUBLE",
                              .is_text = type == "TEXT",
                              .never_null = column.not_null});
  }
  return layout;
}

}  // namespace assay::load::btree
