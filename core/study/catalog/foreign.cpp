#include "catalog/foreign.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <vector>

#include "assay/words.hpp"
#include "config/section.hpp"
#include "config/toml_text.hpp"
#include "files/program.hpp"
#include "files/served.hpp"
#include "sqlite/database.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

/// One row of the table.
struct ForeignKind {
  std::string is, then;
  std::string begins;  ///< bytes
  std::size_t at = 0;  ///< where they are
  bool inflated = false;
  bool partly = false, profile = false;
  std::vector<std::string> holds, tables, ends;
  std::string beside;  ///< ending of the file that is read instead
};

/// "inflated:@257:7573746172"
void read_begins(std::string_view text, ForeignKind& kind) {
  constexpr std::string_view kInflated = "inflated:";
  kind.inflated = text.starts_with(kInflated);
  if (kind.inflated) text.remove_prefix(kInflated.size());
  if (text.starts_with('@')) {
    kind.at = std::strtoul(text.data() + 1, nullptr, 10);
    text.remove_prefix(text.find(':') + 1);
  }
  for (; text.size() >= 2; text.remove_prefix(2))
    kind.begins += static_cast<char>(std::strtoul(std::string(text.substr(0, 2)).c_str(), nullptr, 16));
}

/// The installed table; empty if it cannot be read, since it only serves explanations.
std::vector<ForeignKind> installed() {
  std::vector<ForeignKind> kinds;
  const fs::path file = installed_questions() / "data/foreign_files.toml";
  std::error_code failed;
  if (!fs::exists(file, failed)) return kinds;
  try {
    const toml::table table = parse_toml(file);
    Section section(table, file.filename().string(), {file.string(), 1, 1});
    for (Section& row : section.tables("file")) {
      ForeignKind& kind = kinds.emplace_back();
      kind.is = row.required_text("is");
      kind.then = row.required_text("then");
      read_begins(row.text("begins").value_or(""), kind);
      kind.partly = row.boolean("partly").value_or(false);
      kind.profile = row.boolean("profile").value_or(false);
      kind.beside = row.text("beside").value_or("");
      kind.holds = row.texts("holds");
      kind.tables = row.texts("tables");
      kind.ends = row.texts("ends");
      row.finish();
    }
  } catch (const ConfigMistake&) {
    kinds.clear();
  }
  return kinds;
}

/// Start of the file, inflated if it is gzip.
struct Beginning {
  explicit Beginning(const fs::path& file) {
    constexpr unsigned kBytes = 1U << 16;
    std::ifstream in(file, std::ios::binary);
    raw.resize(kBytes);
    in.read(raw.data(), kBytes);
    raw.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
    if (!raw.starts_with("\x1f\x8b")) {
      inflated = raw;
      return;
    }
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> gzip(gzopen(file.c_str(), "rb"), gzclose);
    inflated.resize(kBytes);
    const int got = gzip == nullptr ? 0 : gzread(gzip.get(), inflated.data(), kBytes);
    inflated.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  std::string raw, inflated;
};

bool ends_like(const ForeignKind& kind, const std::string& name) {
  return std::ranges::any_of(kind.ends, [&](const std::string& end) { return name.ends_with(end); });
}

/// Whether the file to read instead is next to it: host.xplane.pb next to host.trace.json.gz.
bool is_beside(const ForeignKind& kind, const fs::path& file) {
  const std::string name = file.filename().string();
  std::error_code failed;
  return !kind.beside.empty() && std::ranges::any_of(kind.ends, [&](const std::string& end) {
    return name.ends_with(end) &&
           fs::is_regular_file(file.parent_path() / (name.substr(0, name.size() - end.size()) + kind.beside), failed);
  });
}

/// Whether a text has all marks of the kind. Keys in quotes are marks of JSON, not of a script that writes it.
bool holds_marks(const ForeignKind& kind, std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size());
  const bool is_json = text.substr(first, 1).find_first_of("{[") == 0;
  return std::ranges::all_of(kind.holds, [&](const std::string& mark) {
    const bool may_be_here = is_json || !mark.starts_with('"') || mark.find('"', 1) + 1 != mark.size();
    return may_be_here && text.find(mark) != std::string_view::npos;
  });
}

bool fits(const ForeignKind& kind, const std::string& name, const Beginning& head,
          const sqlite::ForeignFile& database) {
  const std::string& bytes = kind.inflated ? head.inflated : head.raw;
  if (kind.inflated && head.raw == head.inflated) return false;
  if (!kind.begins.empty() &&
      (bytes.size() < kind.at || !std::string_view(bytes).substr(kind.at).starts_with(kind.begins)))
    return false;
  if (!holds_marks(kind, head.inflated) || (!kind.ends.empty() && !ends_like(kind, name))) return false;
  if (kind.tables.empty()) return true;
  if (!head.raw.starts_with(sqlite::kMagic)) return false;
  const std::vector<std::string>& tables = database.tables().names;
  return std::ranges::all_of(kind.tables, [&](const auto& t) { return std::ranges::find(tables, t) != tables.end(); });
}

const std::vector<ForeignKind>& kinds() {
  static const std::vector<ForeignKind> all = installed();
  return all;
}

}  // namespace

bool begins_like_a_foreign_profile(const fs::path& file, std::string_view head) {
  const std::string name = lower_case(file.filename().string());
  return std::ranges::any_of(kinds(), [&](const ForeignKind& kind) {
    return kind.profile && (ends_like(kind, name) || (!kind.holds.empty() && holds_marks(kind, head)));
  });
}

ForeignName foreign_file(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed) || !files::may_read(file)) return {};  // a pipe would block
  const Beginning head(file);
  if (head.raw.empty()) return {};
  const sqlite::ForeignFile database(file);
  const std::string name = lower_case(file.filename().string());
  const auto kind = std::ranges::find_if(kinds(), [&](const auto& one) { return fits(one, name, head, database); });
  if (kind == kinds().end()) return {};
  const char* how = kind->partly ? "read in part" : "not read";
  return {fmt::format("This is {}, which is {}", kind->is, how), kind->then + ".", kind->partly,
          is_beside(*kind, file)};
}

}  // namespace assay
