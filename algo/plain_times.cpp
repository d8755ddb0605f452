#include "algo/plain_times.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "assay/sheets.hpp"
#include "assay/words.hpp"

namespace assay {
namespace {

struct Unit {
  std::string_view suffix;
  double ns;
};
constexpr Unit kUnits[] = {{"_ns", 1}, {"_us", 1e3}, {"_ms", 1e6}, {"_s", 1e9}};

std::string_view last_part(std::string_view text, char separator) { return text.substr(text.rfind(separator) + 1); }

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

/// "eager_bs1" of "node_level/eager_bs1.sqlite".
std::string_view stem_of(std::string_view path) {
  const std::string_view name = last_part(path, '/');
  return name.substr(0, name.find('.'));
}

/// "decode" of "request_{i}/decode_{i}".
std::string plain_name(std::string_view path) {
  std::string name(last_part(path, '/'));
  for (std::size_t at = name.find('{'); at != std::string::npos; at = name.find('{', at)) {
    const std::size_t end = name.find('}', at);
    name.erase(at, end == std::string::npos ? end : end - at + 1);
  }
  const std::size_t last = name.find_last_not_of("_-# :.");
  return name.substr(0, last == std::string::npos ? 0 : last + 1);
}

struct TimeColumn {
  std::size_t column;
  std::string name;   ///< of the range
  std::string of;     ///< the preceding parts, one of which may be a run
  double factor = 1;  ///< to ns
};

std::vector<TimeColumn> time_columns(const Sheet& sheet) {
  std::vector<TimeColumn> out;
  for (std::size_t c = 0; c < sheet.columns(); ++c) {
    const std::string_view whole = sheet.column_name(c), name = last_part(whole, '.');
    const auto unit = std::ranges::find_if(kUnits, [&](const Unit& u) { return name.ends_with(u.suffix); });
    if (unit == std::end(kUnits)) continue;
    out.push_back({c, std::string(name.substr(0, name.size() - unit->suffix.size())),
                   std::string(whole.substr(0, whole.size() - name.size())), unit->ns});
  }
  return out;
}

bool has_part(std::string_view dotted, std::string_view part) {
  bool found = false;
  each_part(dotted, '.', [&](std::string_view one) { found = found || one == part; });
  return found;
}

/// The run named by a row; empty: none.
std::string_view run_of_row(const Sheet& sheet, std::size_t row) {
  for (const char* name : {"name", "run", "report", "file"}) {
    if (const auto column = sheet.column(name)) return stem_of(sheet.text(row, *column));
  }
  return {};
}

}  // namespace

std::vector<PlainTimes> plain_times(const StudyView& view, std::size_t report, const std::vector<std::string>& paths,
                                    std::string_view id) {
  std::map<std::string, const std::string*, std::less<>> by_name;  // null: several paths
  for (const std::string& path : paths) {
    const auto [at, fresh] = by_name.try_emplace(plain_name(path), &path);
    if (!fresh) at->second = nullptr;
  }
  const std::string_view run = stem_of(view.path(report));
  std::vector<PlainTimes> out;
  // Runs of two folders may have one name: the times next to a profile are its own.
  const std::string_view folder = folder_of(view.path(report));
  std::vector<Sheet> sheets = sheets_of(view.study(), id);
  std::ranges::stable_partition(sheets, [&](const Sheet& sheet) { return folder_of(sheet.path()) == folder; });
  for (const Sheet& sheet : sheets) {
    for (const TimeColumn& column : time_columns(sheet)) {
      const auto path = by_name.find(column.name);
      if (path == by_name.end() || path->second == nullptr) continue;
      PlainTimes times{*path->second, {}, std::string(sheet.path())};
      for (std::size_t row = 0; row < sheet.rows(); ++row) {
        if (run != run_of_row(sheet, row) && !has_part(column.of, run)) continue;
        for (const double number : sheet.numbers(row, column.column)) times.ns.push_back(number * column.factor);
      }
      const bool known = std::ranges::find(out, times.path, &PlainTimes::path) != out.end();
      if (!times.ns.empty() && !known) out.push_back(std::move(times));
    }
  }
  return out;
}

}  // namespace assay
