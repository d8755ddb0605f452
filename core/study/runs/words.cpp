#include "runs/words.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/detail/text.hpp"
#include "assay/words.hpp"
#include "config/built_in_labels.hpp"
#include "runs/fields.hpp"

namespace assay::naming {
namespace {

using Words = std::vector<std::string>;

Words part(const Words& words, std::size_t begin, std::size_t count) {
  const auto from = words.begin() + static_cast<std::ptrdiff_t>(begin);
  return {from, from + static_cast<std::ptrdiff_t>(count)};
}

/// Splits the rest of each name's words, from `begin` on.
class Splitter {
 public:
  explicit Splitter(const std::vector<Words>& names) : names_(names) {}

  std::vector<WordLabel> split() {
    std::vector<std::size_t> all(names_.size());
    for (std::size_t n = 0; n < all.size(); ++n) all[n] = n;
    split(all, std::vector<std::size_t>(names_.size(), 0));
    return std::move(labels_);
  }

 private:
  using Begins = std::vector<std::size_t>;

  [[nodiscard]] Words rest(std::size_t name, const Begins& begin) const {
    return part(names_[name], begin[name], names_[name].size() - begin[name]);
  }

  WordLabel& add() {
    labels_.emplace_back();
    labels_.back().of_name.resize(names_.size());
    return labels_.back();
  }

  void split(const std::vector<std::size_t>& those, const Begins& begin) {
    std::set<Words> complete;
    std::set<std::size_t> counts;
    for (const std::size_t n : those) {
      complete.insert(rest(n, begin));
      counts.insert(rest(n, begin).size());
    }
    if (complete.empty() || (complete.size() == 1 && complete.begin()->empty())) return;
    if (counts.size() == 1) return columns(those, begin, *counts.begin());
    if (independent_flags(those, begin, complete)) return;
    heads(those, begin, complete);
  }

  /// If all have the same number of words: a label per word, but a single one for words that always occur together.
  void columns(const std::vector<std::size_t>& those, const Begins& begin, std::size_t count) {
    for (std::size_t c = 0; c < count;) {
      std::size_t width = 1;
      while (c + width < count && together(those, begin, c + width - 1)) ++width;
      WordLabel& label = add();
      label.optional = those.size() < names_.size();
      for (const std::size_t n : those) label.of_name[n] = {begin[n] + c, width};
      c += width;
    }
  }

  /// Whether the word at `c` and the next one determine each other.
  [[nodiscard]] bool together(const std::vector<std::size_t>& those, const Begins& begin, std::size_t c) const {
    std::set<std::string> left, right;
    std::set<std::pair<std::string, std::string>> both;
    for (const std::size_t n : those) {
      const std::string &a = names_[n][begin[n] + c], &b = names_[n][begin[n] + c + 1];
      left.insert(a);
      right.insert(b);
      both.emplace(a, b);
    }
    return both.size() == left.size() && both.size() == right.size();
  }

  /// Nothing, "compiled", "fused" and "compiled fused": words that occur independently.
  bool independent_flags(const std::vector<std::size_t>& those, const Begins& begin, const std::set<Words>& complete) {
    const auto alone = [&](const Words& words) {
      return std::all_of(words.begin(), words.end(), [&](const std::string& w) { return complete.contains({w}); });
    };
    if (!complete.contains({}) || !std::all_of(complete.begin(), complete.end(), alone)) return false;
    const bool any_pair = std::any_of(complete.begin(), complete.end(), [](const Words& w) { return w.size() > 1; });
    if (!any_pair) return false;
    std::map<std::string, std::size_t> label_of;
    for (const std::size_t n : those) {
      for (std::size_t w = begin[n]; w < names_[n].size(); ++w) {
        const auto [at, fresh] = label_of.emplace(names_[n][w], labels_.size());
        if (fresh) {
          WordLabel& label = add();
          label.flag = label.optional = true;
        }
        labels_[at->second].of_name[n] = {w, 1};
      }
    }
    return true;
  }

  /// The words of one name are a prefix of those of another; what follows is optional.
  void heads(const std::vector<std::size_t>& those, const Begins& begin, const std::set<Words>& complete) {
    const bool none = complete.contains({});
    std::map<std::size_t, std::size_t> length_of;
    std::set<Words> different;
    for (const std::size_t n : those) {
      const Words words = rest(n, begin);
      if (words.empty()) continue;
      std::size_t length = 1;
      while (!complete.contains(part(words, 0, length))) ++length;
      length_of[n] = length;
      different.insert(part(words, 0, length));
    }
    WordLabel& label = add();
    label.optional = none || those.size() < names_.size();
    label.flag = label.optional && different.size() == 1;
    Begins next = begin;
    std::vector<std::size_t> rest_of;
    for (const auto& [n, length] : length_of) {
      label.of_name[n] = {begin[n], length};
      next[n] = begin[n] + length;
      rest_of.push_back(n);
    }
    split(rest_of, next);
  }

  const std::vector<Words>& names_;
  std::vector<WordLabel> labels_;
};

template <std::size_t N>
bool all_of_words(const std::vector<std::string>& values, const std::string_view (&words)[N]) {
  return std::all_of(values.begin(), values.end(), [&](const std::string& value) {
    return std::find(std::begin(words), std::end(words), lower_case(value)) != std::end(words);
  });
}

}  // namespace

std::vector<WordLabel> word_labels_of(const std::vector<std::vector<std::string>>& names) {
  return Splitter(names).split();
}

std::string label_name(std::string_view word, std::string_view otherwise) {
  std::string name;
  for (const char c : lower_case(word)) {
    if ((c >= 'a' && c <= 'z') || is_digit(c))
      name += c;
    else if (!name.empty() && name.back() != '_' && (c & 0x80) == 0)
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  while (!name.empty() && (is_digit(name.front()) || name.front() == '_')) name.erase(0, 1);
  if (name.empty()) name = otherwise;
  if (name == "patterns" || name == "suffix" || is_built_in_label(name)) name += "_label";
  return name;
}

bool says_of_next(const std::vector<std::string>& values) {
  constexpr std::string_view kWords[] = {"no", "not", "non", "without", "with", "w", "wo", "use", "disable", "enable"};
  return all_of_words(values, kWords);
}

std::string name_of_words(const std::vector<std::string>& values, std::string_view in_front, std::string_view behind,
                          bool flag) {
  constexpr std::string_view kAspects[] = {"mode",   "attn",     "attention", "backend",   "opt",      "optimizer",
                                           "model",  "dtype",    "impl",      "method",    "strategy", "phase",
                                           "stage",  "config",   "variant",   "layout",    "loader",   "dataset",
                                           "kernel", "channels", "algo",      "scheduler", "method",   "size"};
  constexpr std::string_view kSizes[] = {"tiny",  "mini", "small", "base", "medium",
                                         "large", "huge", "giant", "xl",   "xxl"};
  constexpr std::string_view kAnswers[] = {"true", "false", "on", "off", "yes", "no", "enabled", "disabled"};
  if (std::all_of(values.begin(), values.end(), names_a_precision)) return "precision";
  if (!behind.empty() && says_of_next(values)) return std::string(behind);
  if (!in_front.empty() && all_of_words(values, kAnswers)) return std::string(in_front);
  if (flag) return values.front();
  std::string aspect = lower_case(in_front);
  if (std::find(std::begin(kAspects), std::end(kAspects), aspect) != std::end(kAspects)) return aspect;
  if (std::any_of(values.begin(), values.end(), names_a_model)) return "model";
  const auto sizes = std::count_if(values.begin(), values.end(), [&](const std::string& value) {
    return std::find(std::begin(kSizes), std::end(kSizes), lower_case(value)) != std::end(kSizes);
  });
  if (sizes > 1) return "size";
  for (const std::string& word : values) {
    const bool in_all =
        word.size() > 4 && values.size() > 1 &&
        std::all_of(values.begin(), values.end(), [&](const auto& v) { return v.find(word) != std::string::npos; });
    if (in_all) return word;
  }
  return "variant";
}

}  // namespace assay::naming
