#include "notes/notes.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "files/glob.hpp"

namespace assay {
extern const std::string_view kNotesJson;
}  // namespace assay

namespace assay::notes {
namespace {

using Json = nlohmann::json;

struct Texts {
  std::vector<MetricNote> metrics;
  std::vector<AnalyzerNote> analyzers;
  std::vector<VerdictNote> verdicts;
  std::map<std::string, std::string, std::less<>> units;
};

std::string text(const Json& object, const char* key) { return object.value(key, std::string()); }

Texts read() {
  const Json notes = Json::parse(kNotesJson);
  Texts texts;
  for (const Json& note : notes.at("metrics")) {
    texts.metrics.push_back({note.at("of"), note.value("from", std::vector<std::string>()), text(note, "source"),
                             text(note, "formula"), note.at("is_not")});
  }
  for (const Json& note : notes.at("analyzers")) texts.analyzers.push_back({note.at("of"), note.at("is_not")});
  for (const Json& note : notes.at("verdicts"))
    texts.verdicts.push_back({note.at("of"), note.at("definition"), note.at("formula"), note.at("is_not")});
  for (const auto& [unit, meaning] : notes.at("units").items()) texts.units[unit] = meaning;
  return texts;
}

const Texts& texts() {
  static const Texts all = read();
  return all;
}

template <class Row>
const Row* found(const std::vector<Row>& rows, std::string Row::* name, std::string_view wanted) {
  const auto at = std::ranges::find(rows, wanted, name);
  return at == rows.end() ? nullptr : &*at;
}

}  // namespace

const MetricNote* metric_note(std::string_view metric) {
  for (const MetricNote& note : texts().metrics) {
    if (std::ranges::any_of(note.metrics, [&](const std::string& glob) { return glob_matches(glob, metric); }))
      return &note;
  }
  return nullptr;
}

const AnalyzerNote* analyzer_note(std::string_view id) { return found(texts().analyzers, &AnalyzerNote::id, id); }

std::string_view unit_meaning(std::string_view unit) {
  const auto at = texts().units.find(unit);
  return at == texts().units.end() ? std::string_view() : std::string_view(at->second);
}

std::span<const MetricNote> metrics() { return texts().metrics; }

std::span<const VerdictNote> verdicts() { return texts().verdicts; }

}  // namespace assay::notes
