#include "render/glossary.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "notes/notes.hpp"
#include "render/html/between_tags.hpp"
#include "render/html/html.hpp"

namespace assay {
namespace {

constexpr GlossaryTerm kWords[] = {
    {"stratum", "Runs that agree in all labels but the one under test: each stratum is a comparison of its own."},
    {"strata", "Groups of runs that agree in all labels but the one under test: each is a comparison of its own."},
    {"noise floor", "How much repeat runs of the same program differ; a smaller difference is not an effect."},
    {"repeat runs differ", "How much repeat runs of the same program differ; a smaller difference is not an effect."},
    {"launch-bound",
     "The host launches kernels more slowly than the GPU runs them, so the GPU waits and a faster GPU would not help."},
    {"between-run",
     "The interval includes the spread between runs of one program, so it also applies to further runs."},
    {"within-run", "The interval includes only the spread within these runs: it describes them but decides nothing."},
};

/// Verdicts that need an explanation.
constexpr std::string_view kVerdicts[] = {"inconclusive", "untestable"};

const std::vector<GlossaryTerm>& terms() {
  static const std::vector<GlossaryTerm> all = [] {
    std::vector<GlossaryTerm> made(std::begin(kWords), std::end(kWords));
    for (const notes::VerdictNote& note : notes::verdicts()) {
      if (std::ranges::find(kVerdicts, note.name) != std::end(kVerdicts)) made.push_back({note.name, note.definition});
    }
    return made;
  }();
  return all;
}

/// Elements whose text is left alone.
constexpr std::array<std::string_view, 7> kLeft = {"script", "style", "svg", "abbr", "a", "button", "th"};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; }

/// Position of `word` as a whole word, ignoring the case of its first letter.
std::size_t find_word(std::string_view text, std::string_view word) {
  const std::string_view rest = word.substr(1);
  for (std::size_t at = text.find(rest, 1); at != std::string_view::npos; at = text.find(rest, at + 1)) {
    const std::size_t begin = at - 1, end = at + rest.size();
    const bool same = std::tolower(static_cast<unsigned char>(text[begin])) == word[0];
    const bool whole = (begin == 0 || !is_letter(text[begin - 1])) && (end == text.size() || !is_letter(text[end]));
    if (same && whole) return begin;
  }
  return std::string_view::npos;
}

/// Marks the remaining terms in a piece of text without tags.
class Marker {
 public:
  std::string text(std::string_view piece) {
    std::string out;
    while (true) {
      std::size_t first = std::string_view::npos, term = 0;
      for (std::size_t t = 0; t < terms().size(); ++t) {
        const std::size_t at = told_[t] ? std::string_view::npos : find_word(piece, terms()[t].word);
        if (at < first) {
          first = at;
          term = t;
        }
      }
      if (first == std::string_view::npos) return out.append(piece);
      const std::string_view word = piece.substr(first, terms()[term].word.size());
      out.append(piece.substr(0, first))
          .append("<abbr class=\"term\" title=\"")
          .append(html(terms()[term].definition))
          .append("\">");
      out.append(word).append("</abbr>");
      piece.remove_prefix(first + word.size());
      for (std::size_t t = 0; t < terms().size(); ++t)
        told_[t] = told_[t] || terms()[t].definition == terms()[term].definition;
      told_[term] = true;
    }
  }

 private:
  std::vector<bool> told_ = std::vector<bool>(terms().size());
};

}  // namespace

std::span<const GlossaryTerm> glossary() { return terms(); }

std::string with_glossary(std::string_view markup) {
  Marker marker;
  return with_texts_replaced(
      markup, [&](std::string_view text, std::string_view) { return marker.text(text); },
      [](std::string_view element) { return std::ranges::find(kLeft, element) != kLeft.end(); });
}

}  // namespace assay
