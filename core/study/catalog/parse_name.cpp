#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "catalog/catalog.hpp"
#include "catalog/name_match.hpp"
#include "config/label_value.hpp"
#include "load/report_names.hpp"

namespace assay {

namespace {

Pattern pattern_of(const std::string& text) {
  Result<Pattern> pattern = parse_pattern(text);
  return pattern ? std::move(*pattern) : Pattern{};
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

/// A stretch of the name: a suffix match, or text that no suffix explains.
struct Token {
  const SuffixSpec* suffix = nullptr;  ///< null: undeclared
  std::size_t begin = 0;
  PatternMatch match;
};

/// Splits what follows the base pattern so that as little as possible stays unexplained; among equals prefers the
/// longest next suffix, then the fewest placeholders. Unexplained text ends before the next '_', so that the rest is
/// still parsed.
class SuffixCut {
 public:
  SuffixCut(const LabelRules& rules, std::string_view stem) : stem_(stem), best_(stem.size() + 1) {
    std::vector<Pattern> patterns;
    for (const SuffixSpec& suffix : rules.suffixes) patterns.push_back(pattern_of(suffix.match));
    for (std::size_t at = stem.size(); at-- > 0;) {
      const std::size_t next = std::min(stem.find('_', at + 1), stem.size());
      best_[at] = {next - at + best_[next].unexplained, {nullptr, at, {next, {}}}};
      for (std::size_t s = 0; s < patterns.size(); ++s) {
        if (patterns[s].empty()) continue;
        for (PatternMatch& match : matches_at(patterns[s], rules.labels, stem, at)) {
          const std::size_t left = best_[match.end].unexplained;
          const BestParse& so_far = best_[at];
          if (match.end == at || left > so_far.unexplained) continue;
          if (left == so_far.unexplained && !says_more(match, so_far.first)) continue;
          best_[at] = {left, {&rules.suffixes[s], at, std::move(match)}};
        }
      }
    }
  }

  [[nodiscard]] std::size_t unexplained(std::size_t begin) const { return best_[begin].unexplained; }

  [[nodiscard]] std::vector<Token> tokens(std::size_t begin) const {
    std::vector<Token> out;
    for (std::size_t at = begin; at < stem_.size(); at = best_[at].first.match.end) out.push_back(best_[at].first);
    return out;
  }

 private:
  struct BestParse {
    std::size_t unexplained = 0;
    Token first;
  };

  static bool says_more(const PatternMatch& match, const Token& than) {
    if (than.suffix == nullptr || match.end != than.match.end)
      return than.suffix == nullptr || match.end > than.match.end;
    return match.found.size() < than.match.found.size();
  }

  std::string_view stem_;
  std::vector<BestParse> best_;  // by start of the rest
};

/// Collects values, and notices if two of them disagree.
class Values {
 public:
  Values(const LabelRules& rules, std::vector<std::string>& problems)
      : rules_(rules), problems_(problems), slots_(rules.labels.size()) {}

  /// `by` is the part of the name with the value.
  void set(std::size_t label, std::string_view text, LabelOrigin origin, std::string_view by) {
    Slot& slot = slots_[label];
    const LabelSpec& spec = rules_.labels[label];
    const Result<ParsedLabel> value = read_label_value(spec, text);
    if (!value) {
      slot.refused = true;
      problems_.push_back(fmt::format("The label {} is {} by {}, which {}; rename the file or correct [labels.{}].",
                                      in_quotes(spec.name), in_quotes(text), in_quotes(by), value.error().sentence,
                                      spec.name));
    } else if (!slot.given) {
      slot = {true, slot.refused, *value, origin, std::string(by)};
    } else if (slot.value.text != value->text) {
      slot.refused = true;
      problems_.push_back(fmt::format(
          "The label {} is set twice, to {} by {} and to {} by {}; rename the file or correct its [[labels.suffix]].",
          in_quotes(spec.name), in_quotes(slot.value.text), in_quotes(slot.by), in_quotes(value->text), in_quotes(by)));
    }
  }

  void set(const std::string& label, const std::string& text, LabelOrigin origin, std::string_view by) {
    for (std::size_t i = 0; i < rules_.labels.size(); ++i) {
      if (rules_.labels[i].name == label) set(i, text, origin, by);
    }
  }

  /// Labels with a value; one with contradicting values is left out.
  std::vector<LabelOfReport> release(bool with_defaults) {
    std::vector<LabelOfReport> out;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Slot& slot = slots_[i];
      if (slot.refused) continue;
      if (!slot.given && with_defaults && rules_.labels[i].default_value) {
        const Result<ParsedLabel> value = read_label_value(rules_.labels[i], *rules_.labels[i].default_value);
        if (value) slot = {true, false, *value, LabelOrigin::kDefault, {}};
      }
      if (slot.given) out.push_back({i, slot.value.text, slot.value.order, slot.origin});
    }
    return out;
  }

 private:
  struct Slot {
    bool given = false, refused = false;
    ParsedLabel value;
    LabelOrigin origin = LabelOrigin::kName;
    std::string by;
  };
  const LabelRules& rules_;
  std::vector<std::string>& problems_;
  std::vector<Slot> slots_;
};

std::size_t folders_of(const LabelRules& rules) {
  std::size_t most = 0;
  for (const std::string& pattern : rules.patterns)
    most = std::max(most, static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), '/')));
  return most;
}

/// Start of the last component of a path with `folders` in front; empty if it has fewer.
std::optional<std::size_t> begin_of_last(std::string_view path, std::size_t folders) {
  if (path.empty() && folders == 0) return 0;
  std::size_t begin = path.size();
  for (std::size_t level = 0; level <= folders; ++level) {
    if (begin == 0) return std::nullopt;
    const std::size_t slash = path.rfind('/', begin - 1);
    if (slash == std::string_view::npos) return level == folders ? std::optional<std::size_t>(0) : std::nullopt;
    begin = slash;
  }
  return begin + 1;
}

/// The pattern and end that leave least unexplained; empty if none matches.
std::optional<PatternMatch> best_base(const LabelRules& rules, std::string_view stem, const SuffixCut& cut) {
  std::optional<PatternMatch> best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string& text : rules.patterns) {
    const auto begin = begin_of_last(stem, static_cast<std::size_t>(std::count(text.begin(), text.end(), '/')));
    if (!begin) continue;
    for (PatternMatch& match : matches_at(pattern_of(text), rules.labels, stem, *begin)) {
      if (cut.unexplained(match.end) >= least) continue;
      least = cut.unexplained(match.end);
      best = std::move(match);
    }
  }
  return best;
}

std::string joined_patterns(const LabelRules& rules) {
  std::string all;
  for (const std::string& pattern : rules.patterns) all += (all.empty() ? "'" : "', '") + pattern;
  return all + "'";
}

std::vector<std::string> undeclared(const std::vector<Token>& tokens, std::string_view stem) {
  std::vector<std::string> texts;
  bool last = false;
  for (const Token& token : tokens) {
    const std::string text(stem.substr(token.begin, token.match.end - token.begin));
    if (token.suffix == nullptr && last) texts.back() += text;
    if (token.suffix == nullptr && !last) texts.push_back(text);
    last = token.suffix == nullptr;
  }
  return texts;
}

}  // namespace

ParsedName parse_name(const LabelRules& rules, std::string_view path) {
  ParsedName parsed;
  Values values(rules, parsed.problems);
  std::string_view stem = stem_of(path);
  std::size_t folders = folders_of(rules);
  while (!begin_of_last(stem, folders)) --folders;  // a path has at least its name
  stem.remove_prefix(*begin_of_last(stem, folders));
  bool all_explained = true;
  if (!rules.patterns.empty()) {
    const SuffixCut cut(rules, stem);
    const std::optional<PatternMatch> base = best_base(rules, stem, cut);
    if (!base) {
      parsed.problems.push_back("The name does not parse: it matches none of the patterns " + joined_patterns(rules) +
                                "; rename the file, add a pattern to [labels], or exclude it in [reports].");
      return parsed;
    }
    for (const auto& [label, text] : base->found)
      values.set(label, text, LabelOrigin::kName, stem.substr(0, base->end));
    const std::vector<Token> tokens = cut.tokens(base->end);
    const auto text_of = [&](const Token& t) { return stem.substr(t.begin, t.match.end - t.begin); };
    for (const Token& token : tokens) {
      for (const auto& [label, text] : token.match.found) values.set(label, text, LabelOrigin::kName, text_of(token));
      if (token.suffix == nullptr) continue;
      for (const auto& [label, value] : token.suffix->set) values.set(label, value, LabelOrigin::kName, text_of(token));
    }
    for (const Token& token : tokens) {
      if (token.suffix == nullptr) continue;
      for (const auto& [label, value] : token.suffix->implies)
        values.set(label, value, LabelOrigin::kImplied, text_of(token));
    }
    for (const std::string& text : undeclared(tokens, stem)) {
      all_explained = false;
      parsed.problems.push_back("The name has the undeclared suffix " + in_quotes(text) +
                                "; declare it as a [[labels.suffix]], rename the file, or exclude it in [reports].");
    }
  }
  parsed.labels = values.release(all_explained);
  return parsed;
}

}  // namespace assay
