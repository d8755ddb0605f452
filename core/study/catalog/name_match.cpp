#include "catalog/name_match.hpp"

#include <algorithm>
#include <set>

namespace assay {
namespace {

std::size_t digits_at(std::string_view name, std::size_t at) {
  std::size_t end = at;
  while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
  return end - at;
}

/// Lengths that a placeholder may have at a position, the preferred one first.
std::vector<std::size_t> lengths_at(const LabelSpec& label, std::string_view name, std::size_t at) {
  std::vector<std::size_t> lengths;
  if (label.type != LabelType::kText) {
    const std::size_t whole = digits_at(name, at);
    if (whole == 0) return lengths;
    std::size_t fraction = 0;
    if (label.type == LabelType::kNumber) {
      const bool point = at + whole < name.size() && name[at + whole] == '.';
      fraction = point ? digits_at(name, at + whole + 1) : 0;
      if (fraction > 0) ++fraction;
      const std::size_t exponent = exponent_at(name, at + whole + fraction);
      if (exponent > 0) lengths.push_back(whole + fraction + exponent);
    }
    if (fraction > 0) lengths.push_back(whole + fraction);
    lengths.push_back(whole);
  } else if (!label.values.empty()) {
    for (const std::string& value : label.values) {
      if (name.substr(at).starts_with(value)) lengths.push_back(value.size());
    }
    std::sort(lengths.rbegin(), lengths.rend());
  } else {
    for (std::size_t n = std::min(name.find_first_of("_/", at), name.size()) - at; n > 0; --n) lengths.push_back(n);
  }
  return lengths;
}

class Matcher {
 public:
  Matcher(const Pattern& pattern, const std::vector<LabelSpec>& labels, std::string_view name)
      : pattern_(pattern), labels_(labels), name_(name) {}

  std::vector<PatternMatch> from(std::size_t begin) {
    walk(0, begin);
    return std::move(matches_);
  }

 private:
  /// Enters each (part, position) once: a second way to it would only repeat the same ends.
  void walk(std::size_t part, std::size_t at) {
    if (!seen_.emplace(part, at).second) return;
    if (part == pattern_.size()) {
      matches_.push_back({at, found_});
      return;
    }
    const std::string& text = pattern_[part].text;
    if (!pattern_[part].placeholder) {
      if (name_.substr(at).starts_with(text)) walk(part + 1, at + text.size());
      return;
    }
    const auto label = std::find_if(labels_.begin(), labels_.end(), [&](const LabelSpec& l) { return l.name == text; });
    if (label == labels_.end()) return;
    for (const std::size_t length : lengths_at(*label, name_, at)) {
      found_.emplace_back(static_cast<std::size_t>(label - labels_.begin()), name_.substr(at, length));
      walk(part + 1, at + length);
      found_.pop_back();
    }
  }

  const Pattern& pattern_;
  const std::vector<LabelSpec>& labels_;
  std::string_view name_;
  std::set<std::pair<std::size_t, std::size_t>> seen_;
  std::vector<std::pair<std::size_t, std::string_view>> found_;
  std::vector<PatternMatch> matches_;
};

}  // namespace

std::size_t exponent_at(std::string_view name, std::size_t at) {
  if (at >= name.size() || (name[at] != 'e' && name[at] != 'E')) return 0;
  const std::size_t sign = at + 1 < name.size() && (name[at + 1] == '-' || name[at + 1] == '+') ? 1 : 0;
  const std::size_t digits = digits_at(name, at + 1 + sign);
  return digits == 0 ? 0 : 1 + sign + digits;
}

std::vector<PatternMatch> matches_at(const Pattern& pattern, const std::vector<LabelSpec>& labels,
                                     std::string_view name, std::size_t begin) {
  return Matcher(pattern, labels, name).from(begin);
}

}  // namespace assay
