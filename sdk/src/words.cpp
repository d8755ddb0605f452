#include "assay/words.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

std::string printed(const char* pattern, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

namespace {

constexpr double kPercentBelow = 1.1;  // as a factor

/// "2.6", "1.31", "28": three digits below 2, two up to 10, then whole numbers.
std::string factor_text(double factor) { return printed("%.*f", factor < 2 ? 2 : factor < 10 ? 1 : 0, factor); }

bool in_percent(double ratio) { return std::max(ratio, 1 / ratio) < kPercentBelow; }
bool is_time(std::string_view unit) { return unit == "ns" || unit == "us" || unit == "ms" || unit == "s"; }
/// Whether less of a quantity is stated as a difference: halving a rate is "50 % lower", halving a time is "2x faster".
bool is_difference(double ratio, std::string_view unit) { return ratio < 1 && !is_time(unit); }

}  // namespace

std::string change_text(double ratio, std::string_view unit) {
  if (ratio == 1) return "unchanged";
  const bool less = ratio < 1;
  const char* word = is_time(unit) ? (less ? "faster" : "slower") : (less ? "lower" : "higher");
  const double factor = std::max(ratio, 1 / ratio);
  const double share = 100 * (is_difference(ratio, unit) ? 1 - ratio : factor - 1);
  const bool percent = is_difference(ratio, unit) || in_percent(ratio);
  return (percent ? printed(share < 0.1 ? "%.1g %%" : "%.1f %%", share) : factor_text(factor) + "x") + " " + word;
}

std::string change_range(double first, double last, std::string_view unit) {
  const std::string low = change_text(first, unit);
  std::string high = change_text(last, unit);
  if (low == high) return high;
  const std::size_t word = low.rfind(' ');
  const bool alike = word != std::string::npos && high.ends_with(low.substr(word));
  return low.substr(0, alike ? word : low.size()) + " to " + high;
}

std::string change_interval(double ratio, double lo, double hi, std::string_view unit) {
  if (is_difference(ratio, unit)) return printed("[%.1f, %.1f] %%", 100 * (1 - hi), 100 * (1 - lo));
  const double low = ratio < 1 ? 1 / hi : lo, high = ratio < 1 ? 1 / lo : hi;
  if (in_percent(ratio)) return printed("[%.1f, %.1f] %%", 100 * (low - 1), 100 * (high - 1));
  return printed("[%.2f, %.2f]", low, high);
}

std::string filled(std::string_view pattern, std::initializer_list<std::string_view> values) {
  std::string text;
  const auto* next = values.begin();
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i], after = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (c != '{' && c != '}') {
      text += c;
      continue;
    }
    if (c == '{' && after == '}' && next != values.end()) text += *next++;
    if (after == c) text += c;
    ++i;
  }
  return text;
}

std::string percent(double share, int digits) { return printed("%.*f %%", digits, 100 * share); }

std::string counted(std::size_t count, std::string_view noun) {
  const bool hisses = noun.ends_with("s") || noun.ends_with("ch") || noun.ends_with("sh") || noun.ends_with("x");
  return filled("{} {}{}", {std::to_string(count), std::string(noun), count == 1 ? "" : hisses ? "es" : "s"});
}

std::string counted_of(std::size_t part, std::size_t whole, std::string_view noun) {
  return std::to_string(part) + " of " + counted(whole, noun);
}

std::string low_to_high(double low, double high, int digits) {
  const std::string a = printed("%.*f", digits, low), b = printed("%.*f", digits, high);
  return a == b ? a : a + " to " + b;
}

std::string listed(const std::vector<std::string>& texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
  }
  return out;
}

std::string time_text(double ns) {
  if (ns < 1e3) return printed("%.3g ns", ns);
  if (ns < 1e6) return printed("%.3g us", ns / 1e3);
  return ns < 1e9 ? printed("%.3g ms", ns / 1e6) : printed("%.3g s", ns / 1e9);
}

std::string labels_text(const LabelTexts& labels) {
  std::string out;
  for (const auto& [name, value] : labels) out += filled("{}{}={}", {out.empty() ? "" : " ", name, value});
  return out;
}

std::vector<std::string> telling_names(const std::vector<LabelTexts>& strata, std::string_view all) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> seen;
  for (const LabelTexts& labels : strata) {
    for (const auto& [name, value] : labels) {
      values[name].insert(value);
      ++seen[name];
    }
  }
  std::vector<std::string> out;
  for (LabelTexts labels : strata) {
    std::erase_if(labels, [&](const auto& l) { return values[l.first].size() < 2 && seen[l.first] == strata.size(); });
    out.push_back(labels.empty() ? std::string(all) : labels_text(labels));
  }
  return out;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace assay
