#include "render/metric_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "notes/notes.hpp"
#include "render/html/between_tags.hpp"
#include "render/html/html.hpp"

namespace assay {
namespace {

bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The id-like word around the dot at `dot`, without a final full stop.
std::string_view word_at(std::string_view text, std::size_t dot) {
  std::size_t begin = dot, end = dot;
  while (begin > 0 && (is_in_word(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  while (end < text.size() && (is_in_word(text[end]) || text[end] == '.')) ++end;
  while (end > begin && text[end - 1] == '.') --end;
  return text.substr(begin, end - begin);
}

/// Whether a sentence, cell, item or element begins after `before`.
bool begins_sentence(std::string_view before) {
  while (before.ends_with('*') || before.ends_with('|')) before.remove_suffix(1);
  if (before.empty() || before.ends_with('\n') || before.ends_with('>') || before.ends_with("| ")) return true;
  return before.ends_with(". ") || before.ends_with("\n- ") || before == "- ";
}

std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// Passes every id-like word of `text` to `replace`, which returns its replacement or the word.
template <class Replace>
std::string replaced(std::string_view text, Replace replace) {
  std::string out;
  std::size_t written = 0;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    const std::string_view word = word_at(text, dot);
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    if (word.empty() || begin < written) continue;
    out.append(text.substr(written, begin - written)).append(replace(word, text.substr(0, begin)));
    written = begin + word.size();
    dot = std::max(dot, written - 1);
  }
  return out.append(text.substr(written));
}

}  // namespace

MetricWords::MetricWords(std::span<const OwnedMetric> metrics) {
  for (const OwnedMetric& metric : metrics) {
    if (!metric.title.empty()) titled_[metric.id] = &metric;
  }
}

std::string MetricWords::in_text(std::string_view text) const {
  return replaced(text, [&](std::string_view word, std::string_view before) {
    const auto at = titled_.find(word);
    if (at == titled_.end()) return std::string(word);
    return begins_sentence(before) ? capital(at->second->title) : at->second->title;
  });
}

void title_plots(QuestionResult& result) {
  if (result.plots.empty()) return;
  const MetricWords words(result.metrics);
  for (OwnedPlot& plot : result.plots) {
    for (std::string* text : {&plot.title, &plot.caption, &plot.x.title, &plot.y.title, &plot.series_title})
      *text = words.in_text(*text);
    for (OwnedLayer& layer : plot.layers) {
      if (layer.channels.facet == kNoColumn) continue;
      for (std::string& name : layer.data.columns[layer.channels.facet].texts) name = words.in_text(name);
    }
    for (PlotReference& reference : plot.references) reference.facet = words.in_text(reference.facet);
  }
}

void colour_alike(std::vector<QuestionResult>& results) {
  std::map<std::string, std::vector<std::string>> names;
  const auto each_plot = [&](const auto& work) {
    for (QuestionResult& result : results) {
      for (OwnedPlot& plot : result.plots) {
        if (!plot.series_title.empty()) work(plot, names[plot.series_title]);
      }
    }
  };
  each_plot([](const OwnedPlot& plot, std::vector<std::string>& seen) {
    for (const OwnedLayer& layer : plot.layers) {
      if (layer.channels.series == kNoColumn) continue;
      for (const std::string& name : layer.data.columns[layer.channels.series].texts) {
        if (std::find(seen.begin(), seen.end(), name) == seen.end()) seen.push_back(name);
      }
    }
  });
  each_plot([](OwnedPlot& plot, const std::vector<std::string>& seen) { plot.alike = seen; });
}

std::string MetricWords::in_html(std::string_view markup) const {
  std::map<const OwnedMetric*, std::string> opened;  // tags of ids that occur; most do not
  const auto open = [&](const OwnedMetric& metric) -> const std::string& {
    std::string& tag = opened[&metric];
    if (tag.empty()) {
      const notes::MetricNote* note = notes::metric_note(metric.id);
      const std::string said =
          fmt::format("{}: {}{}", metric.id, metric.definition, note == nullptr ? "" : " " + note->is_not);
      tag = "<abbr title=\"" + html(said) + "\">";
    }
    return tag;
  };
  const auto in_words = [&](std::string_view text, std::string_view written) {
    const bool begins = begins_sentence(written.substr(written.size() - std::min<std::size_t>(written.size(), 8)));
    return replaced(text, [&](std::string_view word, std::string_view before) {
      const auto at = titled_.find(word);
      if (at == titled_.end()) return std::string(word);
      const std::string& title = at->second->title;
      const bool first = before.empty() ? begins : begins_sentence(before);
      return open(*at->second) + html(first ? capital(title) : title) + "</abbr>";
    });
  };
  return with_texts_replaced(markup, in_words, [](std::string_view) { return false; });
}

}  // namespace assay
