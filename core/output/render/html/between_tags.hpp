// Walks a piece of HTML by its tags.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace assay {

/// Returns `markup` with each text between tags replaced by `replace(text, written)`; `written` is the output so far.
/// Elements for which `leaves(element)` is true are copied unchanged, with their content.
template <class Replace, class Leaves>
std::string with_texts_replaced(std::string_view markup, const Replace& replace, const Leaves& leaves) {
  std::string out;
  out.reserve(markup.size() + markup.size() / 8);
  while (!markup.empty()) {
    const std::size_t tag = std::min(markup.find('<'), markup.size());
    out += replace(markup.substr(0, tag), std::string_view(out));
    markup.remove_prefix(tag);
    if (markup.empty()) break;
    const std::string_view whole = markup.substr(0, std::min(markup.find('>'), markup.size()));
    std::size_t through = std::min(whole.size() + 1, markup.size());
    const std::string_view name = whole.substr(1, whole.find_first_of(" >/\n", 1) - 1);
    if (!name.empty() && leaves(name)) {
      const std::size_t close = markup.find("</" + std::string(name) + ">");
      if (close != std::string_view::npos) through = close;
    }
    out += markup.substr(0, through);
    markup.remove_prefix(through);
  }
  return out;
}

}  // namespace assay
