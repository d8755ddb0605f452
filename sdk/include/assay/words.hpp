// Small help with sentences: numbers, counts, names of strata. For findings and reasons; analyzers never print.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// printf into a string of at most 255 bytes.
[[gnu::format(printf, 1, 2)]] inline std::string printed(const char* pattern, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

/// "12.3 %" of a share of 1, with `digits` places after the point.
inline std::string percent(double share, int digits = 1) { return printed("%.*f %%", digits, 100 * share); }

/// "1 run", "2 runs".
inline std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

/// "3 of 4 runs".
inline std::string counted_of(std::size_t part, std::size_t whole, std::string_view noun) {
  return std::to_string(part) + " of " + counted(whole, noun);
}

/// "0.12..0.45" with `digits` places after the point, or one number when both print the same.
inline std::string low_to_high(double low, double high, int digits) {
  const std::string a = printed("%.*f", digits, low), b = printed("%.*f", digits, high);
  return a == b ? a : a + ".." + b;
}

/// "a, b and c".
inline std::string listed(const std::vector<std::string>& texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
  }
  return out;
}

/// A time in the unit that suits it: "812 ns", "3.25 us", "16.7 ms", "1.2 s".
inline std::string time_text(double ns) {
  if (ns < 1e3) return printed("%.3g ns", ns);
  if (ns < 1e6) return printed("%.3g us", ns / 1e3);
  return ns < 1e9 ? printed("%.3g ms", ns / 1e6) : printed("%.3g s", ns / 1e9);
}

using LabelTexts = std::vector<std::pair<std::string, std::string>>;

/// "patch=8 dim=384"; empty without labels.
inline std::string labels_text(const LabelTexts& labels) {
  std::string out;
  for (const auto& [name, value] : labels) out += (out.empty() ? "" : " ") + name + "=" + value;
  return out;
}

/// Names that tell strata apart: of each the labels whose value is not the same in all, "patch=8 dim=384"; `all` for
/// one that has none.
inline std::vector<std::string> telling_names(const std::vector<LabelTexts>& strata, std::string_view all) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> seen;
  for (const LabelTexts& labels : strata) {
    for (const auto& [name, value] : labels) values[name].insert(value), ++seen[name];
  }
  std::vector<std::string> out;
  for (LabelTexts labels : strata) {
    std::erase_if(labels, [&](const auto& l) { return values[l.first].size() < 2 && seen[l.first] == strata.size(); });
    out.push_back(labels.empty() ? std::string(all) : labels_text(labels));
  }
  return out;
}

}  // namespace assay
