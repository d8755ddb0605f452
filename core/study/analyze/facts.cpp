#include "analyze/facts.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "files/percent.hpp"
#include "files/utf8.hpp"

namespace assay {
namespace {

void append_encoded(std::string& out, std::string_view text) {
  append_percent_encoded(out, text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7F && c != '%' && c != ';' && c != '=';
  });
}

}  // namespace

const OwnedTable::Column* OwnedTable::find(std::string_view name) const {
  const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  return at == columns.end() ? nullptr : &*at;
}

std::size_t OwnedTable::rows() const {
  if (columns.empty()) return 0;
  const Column& first = columns.front();
  return std::max({first.texts.size(), first.integers.size(), first.numbers.size()});
}

std::optional<std::string> canonical_dims(Span<Dim> dims) {
  std::vector<std::pair<std::string, std::string>> sorted;
  sorted.reserve(dims.size);
  for (const Dim& dim : dims) sorted.emplace_back(to_utf8(dim.key), to_utf8(dim.value));
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool repeated = i > 0 && sorted[i].first == sorted[i - 1].first;
    if (sorted[i].first.empty() || repeated) return std::nullopt;
    if (i > 0) text += ';';
    append_encoded(text, sorted[i].first);
    text += '=';
    append_encoded(text, sorted[i].second);
  }
  return text;
}

}  // namespace assay
