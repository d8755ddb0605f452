// Everything that is read of a file, as text, and whether damage to it changed that in silence.
#pragma once

#include "load/columns.hpp"
#include "load/format.hpp"
#include "query/asking.hpp"
#include "query/model.hpp"
#include "support/test.hpp"

namespace assay {

struct Fingerprint {
  std::string refusal;  ///< why nothing could be read
  std::string numbers;  ///< all cells of all tables
  std::vector<std::string> issues;
};

/// Without `numbers` where the issues are not those of `whole`: then the damage was said, and they tell nothing more.
inline Fingerprint fingerprint(const std::filesystem::path& file, const Fingerprint* whole = nullptr) {
  Fingerprint print;
  const load::Format* format = load::format_of(file);
  if (format == nullptr) return {"is of no format", {}, {}};
  std::set<ColumnId> all;
  for (const ColumnInfo& info : column_infos()) all.insert(info.id);
  const Result<Profile> profile = load_profile({file, format->kind}, "file", all);
  if (!profile) return {profile.error().sentence, {}, {}};
  const Result<Profile::View> view = profile->view({}, {});
  if (!view) return {view.error().sentence, {}, {}};
  const Report& report = view->report();
  for (std::size_t i = 0; i < report.issues->rows; ++i)
    print.issues.push_back(std::string(report.issues->name[i].view()) + ": " +
                           std::string(report.issues->text[i].view()));
  if (whole != nullptr && print.issues != whole->issues) return print;
  query::Session session = query::session_over({&report});
  for (const query::SqlTable& table : query::sql_tables()) {
    if (table.name == "issues" || table.name == "properties" || table.in == nullptr || table.in(report) == nullptr)
      continue;
    print.numbers += table.name + "\n";
    for (const std::string& row : query::ask(session, "SELECT * FROM " + table.name)) print.numbers += row + "\n";
  }
  return print;
}

/// The first line that differs, for messages.
inline std::string first_difference(const std::string& a, const std::string& b) {
  const std::size_t at =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const auto line = [&](const std::string& text) {
    const std::size_t from = text.rfind('\n', std::min(at, text.size()) - (at > 0 ? 1 : 0)) + 1;
    return text.substr(from, text.find('\n', from) - from);
  };
  return "  " + line(a) + "\n  " + line(b);
}

/// Equal numbers, a refusal, or an issue that the whole file does not have.
inline void expect_said(const Fingerprint& whole, const std::filesystem::path& damaged, const std::string& how) {
  const Fingerprint after = fingerprint(damaged, &whole);
  const bool said = !after.refusal.empty() || after.issues != whole.issues;
  EXPECT_TRUE(said || after.numbers == whole.numbers) << how << " changed in silence:\n"
                                                      << first_difference(whole.numbers, after.numbers);
}

}  // namespace assay
