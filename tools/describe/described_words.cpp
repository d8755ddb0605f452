#include "describe/described_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "load/columns.hpp"
#include "notes/notes.hpp"
#include "render/glossary.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

std::string owned(Str s) { return std::string(s.view()); }

std::string better_text(const MetricSpec& metric) {
  std::string out;
  if (metric.polarity != Polarity::kNeutral)
    out = metric.polarity == Polarity::kLowerIsBetter ? "lower is better" : "higher is better";
  if (metric.extensive)
    out +=
        fmt::format("{}grows with the length of the run, so runs are compared per iteration", out.empty() ? "" : "; ");
  return out;
}

/// Tables that a third-party metric is measured from: those of the columns it needs.
std::vector<std::string> needed_tables(const Plugin& plugin) {
  std::vector<std::string> tables;
  for (const ColumnId id : plugin.descriptor().needs) {
    const ColumnInfo* info = find_column(id);
    if (info == nullptr) continue;
    const std::string table(info->name.substr(0, info->name.find('.')));
    if (std::ranges::find(tables, table) == tables.end()) tables.push_back(table);
  }
  return tables;
}

DescribedWord metric_word(const MetricSpec& metric, const Plugin& plugin) {
  DescribedWord out{owned(metric.id),         "metric", std::string(plugin.id()), owned(metric.title),
                    owned(metric.definition), {}};
  const auto add = [&](const char* what, std::string words) {
    if (!words.empty()) out.lines.emplace_back(what, std::move(words));
  };
  const std::string_view meaning = notes::unit_meaning(metric.unit.view());
  add("unit", owned(metric.unit) + (meaning.empty() ? "" : fmt::format(": {}", meaning)));
  add("meaning", better_text(metric));
  const notes::MetricNote* note = notes::metric_note(out.name);
  std::string from = fmt::format("{}", fmt::join(note != nullptr ? note->tables : needed_tables(plugin), ", "));
  if (note != nullptr) {
    add("formula", note->formula);
    if (!note->source.empty()) from += (from.empty() ? "" : "; and ") + note->source;
  }
  add("from", from);
  if (note != nullptr) add("not", note->is_not);
  add("analyzer", out.analyzer);
  return out;
}

DescribedWord verdict_word(const notes::VerdictNote& note) {
  return {note.name, "verdict", {}, {}, note.definition, {{"formula", note.formula}, {"not", note.is_not}}};
}

}  // namespace

std::vector<DescribedWord> described_words(const Plugins& plugins) {
  std::vector<DescribedWord> words;
  for (const auto& plugin : plugins.loaded) {
    for (const MetricSpec& metric : plugin->descriptor().produces) words.push_back(metric_word(metric, *plugin));
  }
  std::ranges::stable_sort(words, {}, &DescribedWord::name);
  for (const notes::VerdictNote& note : notes::verdicts()) words.push_back(verdict_word(note));
  for (const GlossaryTerm& term : glossary())
    words.push_back({std::string(term.word), "term", {}, {}, std::string(term.definition), {}});
  return words;
}

void write_reference(const std::vector<DescribedWord>& words, std::ostream& to) {
  to << "# Metrics and verdicts\n\nMade by `assay describe --reference`; `assay describe METRIC` prints the same "
        "texts.\n";
  std::string section;
  for (const DescribedWord& word : words) {
    if (word.kind == "term") continue;
    const std::string of = word.kind == "verdict" ? "Verdicts" : word.name.substr(0, word.name.find('.'));
    if (of != section) to << "\n## " << of << "\n";
    section = of;
    to << "\n### `" << word.name << "`\n\n" << markdown(word.definition) << "\n\n";
    for (const auto& [what, words_of_it] : word.lines) to << "- **" << what << "** " << markdown(words_of_it) << "\n";
  }
}

}  // namespace assay
