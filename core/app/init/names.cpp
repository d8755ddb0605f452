#include "app/init/names.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "catalog/name_match.hpp"
#include "config/built_in_labels.hpp"
#include "config/label_value.hpp"

namespace assay::init {
namespace {

using Kind = Token::Kind;

constexpr std::size_t kMostCompared = 6;  // names without structure: of more nobody knows what to compare with what

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0; }

bool two_digits_to(std::string_view text, int most) {
  if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) return false;
  const int value = (text[0] - '0') * 10 + (text[1] - '0');
  return value >= 1 && value <= most;
}

/// Length of a date at the beginning: 20240501, 2024-05-01, 2024_05_01; 0: none stands there.
std::size_t date_length(std::string_view text) {
  if (!text.starts_with("20") || text.size() < 8 || !is_digit(text[2]) || !is_digit(text[3])) return 0;
  const bool apart = text[4] == '-' || text[4] == '_' || text[4] == '.';
  const std::size_t month = apart ? 5 : 4, day = apart ? 8 : 6, end = apart ? 10 : 8;
  if (text.size() < end || (apart && text[7] != text[4])) return 0;
  if (!two_digits_to(text.substr(month), 12) || !two_digits_to(text.substr(day), 31)) return 0;
  return text.size() > end && is_digit(text[end]) ? 0 : end;
}

/// Length of an exponent behind the digits of a number: 1e-4, 2.5e3. Not of 3e8 in 3e8f, which is no number.
std::size_t exponent_length(std::string_view text, std::size_t digits) {
  constexpr std::size_t kMostDigits = 2;  // of an exponent that a learning rate or a tolerance has
  const std::size_t length = digits == 0 ? 0 : exponent_at(text, digits);
  if (length == 0) return 0;
  const std::size_t sign = is_digit(text[digits + 1]) ? 0 : 1, end = digits + length;
  const bool goes_on = end < text.size() && is_letter(text[end]);
  return goes_on || length - 1 - sign > kMostDigits ? 0 : length;
}

std::size_t number_length(std::string_view text) {
  constexpr std::size_t kMostDigits = 18;  // of an integer of 64 bits
  std::size_t end = 0;
  while (end < text.size() && end < kMostDigits && is_digit(text[end])) ++end;
  if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    for (++end; end < text.size() && is_digit(text[end]);) ++end;
  }
  return end + exponent_length(text, end);
}

/// A name that a label may have: small letters, digits and '_'.
std::string label_name(std::string_view word, std::string_view otherwise) {
  std::string name;
  for (const char c : word) {
    if (c >= 'A' && c <= 'Z')
      name += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || is_digit(c))
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

/// A number as labels have it: without leading zeros, 0.50 as 0.5 and 1e-4 as 1e-04.
std::string plain(const std::string& number) {
  if (number.find_first_of(".eE") != std::string::npos) return shortest(std::stod(number));
  const std::size_t first = std::min(number.find_first_not_of('0'), number.size() - 1);
  return number.substr(first);
}

bool repeats(std::string_view name) {
  constexpr std::string_view kWords[] = {"run",  "rep",   "repeat", "replicate", "trial",  "try",   "attempt",
                                         "seed", "block", "iter",   "iteration", "job",    "pid",   "id",
                                         "time", "date",  "twin",   "profile",   "report", "number"};
  const std::string_view bare = name.substr(0, name.find_last_not_of("0123456789_") + 1);
  return std::find(std::begin(kWords), std::end(kWords), bare) != std::end(kWords);
}

/// The labels so far, and what each stem says of them.
class Labels {
 public:
  explicit Labels(std::size_t stems) { rules.of_stem.resize(stems); }

  NameLabel& add(std::string_view word, std::string_view otherwise, Kind kind) {
    const std::string base = label_name(word, otherwise);
    std::string name = base;
    for (int n = 2; find(name) != nullptr; ++n) name = base + "_" + std::to_string(n);
    NameLabel label;
    label.name = name;
    label.type = kind == Kind::kNumber ? LabelType::kInteger : LabelType::kText;
    label.rank = kind == Kind::kNumber && base == "rank";
    label.descriptive = label.rank || kind == Kind::kDate || (kind == Kind::kNumber && repeats(base));
    rules.labels.push_back(std::move(label));
    return rules.labels.back();
  }
  NameLabel* find(std::string_view name) {
    const auto at =
        std::find_if(rules.labels.begin(), rules.labels.end(), [&](const auto& l) { return l.name == name; });
    return at == rules.labels.end() ? nullptr : &*at;
  }
  /// False when the stem says something else of the label already.
  bool say(std::size_t stem, const std::string& label, const std::string& value) {
    return rules.of_stem[stem].emplace(label, value).second;
  }

  NameRules rules;
};

/// The word that says what the number at `i` is: beside it, before it, or behind it.
std::string word_for(const std::vector<Token>& tokens, std::size_t i, const std::string& last) {
  const auto word = [&](std::size_t at) { return at < tokens.size() && tokens[at].kind == Kind::kWord; };
  if (i > 0 && word(i - 1)) {
    const bool between = i > 1 && tokens[i - 2].kind == Kind::kNumber && tokens[i - 1].text.size() == 1;
    return between && !last.empty() ? last : tokens[i - 1].text;
  }
  if (word(i + 1) && !(i + 2 < tokens.size() && tokens[i + 2].kind == Kind::kNumber)) return tokens[i + 1].text;
  if (i > 1 && tokens[i - 1].kind == Kind::kSeparator && word(i - 2)) return tokens[i - 2].text;
  return last;
}

/// A pattern of tokens that are alike in all of `names`, whose numbers become labels. `said`: tokens of each stem.
std::string pattern_of(const std::vector<Token>& tokens, const std::vector<std::vector<Token>>& said,
                       const std::vector<std::size_t>& stems, Labels& labels, bool& sound) {
  std::string pattern, last;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Kind kind = tokens[i].kind;
    if (kind == Kind::kWord || kind == Kind::kSeparator) {
      pattern += tokens[i].text;
      continue;
    }
    const bool after_date = i > 1 && tokens[i - 1].kind == Kind::kSeparator && tokens[i - 2].kind == Kind::kDate;
    const std::string word = kind == Kind::kDate ? "date" : after_date ? "time" : word_for(tokens, i, last);
    last = word;
    NameLabel& label = labels.add(word, "number", kind);
    const std::string name = label.name;
    pattern += "{" + name + "}";
    for (std::size_t s = 0; s < said.size(); ++s) {
      const std::string& text = said[s][i].text;
      const std::string value = kind == Kind::kNumber ? plain(text) : text;
      if (kind == Kind::kNumber && text.find_first_of(".eE") != std::string::npos) label.type = LabelType::kNumber;
      if (kind == Kind::kDate && value.find('_') != std::string::npos) label.listed = true;
      sound = labels.say(stems[s], name, value) && sound;
    }
  }
  return pattern;
}

bool alike(const Token& a, const Token& b) {
  if (a.kind != b.kind) return false;
  return a.kind == Kind::kNumber || a.kind == Kind::kDate || a.text == b.text;
}

std::string text_of(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) text += token.text;
  return text;
}

/// Names cut into what all have in common in front, what differs, and what all have in common at the end.
struct Cut {
  std::size_t head = 0, tail = 0;  ///< tokens
};

Cut cut_of(const std::vector<std::vector<Token>>& names) {
  std::size_t shortest = names.front().size();
  for (const auto& name : names) shortest = std::min(shortest, name.size());
  const auto all_alike = [&](auto&& token) {
    return std::all_of(names.begin(), names.end(),
                       [&](const auto& n) { return alike(token(n), token(names.front())); });
  };
  Cut cut;
  while (cut.head < shortest && all_alike([&](const auto& n) -> const Token& { return n[cut.head]; })) ++cut.head;
  while (cut.head + cut.tail < shortest &&
         all_alike([&](const auto& n) -> const Token& { return n[n.size() - 1 - cut.tail]; }))
    ++cut.tail;
  return cut;
}

std::vector<Token> part(const std::vector<Token>& name, std::size_t from, std::size_t to) {
  return {name.begin() + static_cast<std::ptrdiff_t>(from), name.begin() + static_cast<std::ptrdiff_t>(to)};
}

std::vector<std::size_t> all_stems(std::size_t count) {
  std::vector<std::size_t> stems(count);
  for (std::size_t s = 0; s < count; ++s) stems[s] = s;
  return stems;
}

/// A word that all of them hold names the label: "compiled" of compiled and uncompiled.
std::string common_word(const std::vector<std::string>& values) {
  for (const std::string& word : values) {
    const bool in_all = word.size() > 2 && std::all_of(values.begin(), values.end(), [&](const std::string& v) {
                          return v.find(word) != std::string::npos;
                        });
    if (in_all) return word;
  }
  return "variant";
}

/// Words alone differ, between what all names have in common: one label holds them.
std::optional<NameRules> one_word_differs(const std::vector<std::vector<Token>>& names, const Cut& cut) {
  std::set<std::string> middles;
  for (const auto& name : names) {
    const std::vector<Token> middle = part(name, cut.head, name.size() - cut.tail);
    const bool words = !middle.empty() && std::all_of(middle.begin(), middle.end(), [](const Token& t) {
      return t.kind == Kind::kWord || t.kind == Kind::kSeparator;
    });
    if (!words) return std::nullopt;
    middles.insert(text_of(middle));
  }
  Labels labels(names.size());
  bool sound = true;
  const std::vector<std::size_t> stems = all_stems(names.size());
  std::vector<std::vector<Token>> heads, tails;
  for (const auto& name : names) {
    heads.push_back(part(name, 0, cut.head));
    tails.push_back(part(name, name.size() - cut.tail, name.size()));
  }
  std::string pattern = pattern_of(heads.front(), heads, stems, labels, sound);
  if (!heads.front().empty() && pattern.ends_with('}')) return std::nullopt;  // nobody can tell where the number ends
  NameLabel& label = labels.add(common_word({middles.begin(), middles.end()}), "variant", Kind::kWord);
  label.listed = true;
  const std::string name = label.name;
  for (std::size_t s = 0; s < names.size(); ++s)
    labels.say(s, name, text_of(part(names[s], cut.head, names[s].size() - cut.tail)));
  if (!tails.front().empty() && tails.front().front().kind == Kind::kNumber) return std::nullopt;
  pattern += "{" + name + "}" + pattern_of(tails.front(), tails, stems, labels, sound);
  if (!sound) return std::nullopt;
  labels.rules.patterns = {pattern};
  return std::move(labels.rules);
}

/// The names' ends, cut at a separator: "_compiled_batch1" is "_compiled" and "_batch1".
std::vector<std::vector<Token>> segments_of(const std::vector<Token>& tokens, const std::string& separator) {
  std::vector<std::vector<Token>> segments;
  for (const Token& token : tokens) {
    if (segments.empty() || (token.kind == Kind::kSeparator && token.text == separator)) segments.emplace_back();
    segments.back().push_back(token);
  }
  return segments;
}

bool has_number(const std::vector<Token>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(),
                     [](const Token& t) { return t.kind == Kind::kNumber || t.kind == Kind::kDate; });
}

/// What numbers of equal places stand for is one suffix: "_batch#".
std::string shape_of(const std::vector<Token>& tokens) {
  std::string shape;
  for (const Token& token : tokens)
    shape += token.kind == Kind::kNumber ? std::string("\1")
             : token.kind == Kind::kDate ? std::string("\2")
                                         : token.text;
  return shape;
}

/// Names that begin alike and go on in parts that come and go.
std::optional<NameRules> parts_follow(const std::vector<std::vector<Token>>& names, Cut cut) {
  if (cut.head > 0 && names.front()[cut.head - 1].kind == Kind::kSeparator) --cut.head;
  std::string separator;
  for (const auto& name : names) {
    if (name.size() == cut.head) continue;
    const Token& first = name[cut.head];
    if (cut.head > 0 && first.kind != Kind::kSeparator) return std::nullopt;
    for (const Token& token : part(name, cut.head, name.size())) {
      if (token.kind == Kind::kSeparator && separator.empty()) separator = token.text;
    }
    if (cut.head > 0 && first.text != separator) return std::nullopt;
  }
  if (separator.empty()) return std::nullopt;
  Labels labels(names.size());
  bool sound = true;
  std::vector<std::vector<Token>> heads;
  std::vector<std::vector<std::vector<Token>>> rests;
  for (const auto& name : names) {
    heads.push_back(part(name, 0, cut.head));
    rests.push_back(segments_of(part(name, cut.head, name.size()), separator));
  }
  std::string pattern = pattern_of(heads.front(), heads, all_stems(names.size()), labels, sound);

  const bool word_first = std::all_of(rests.begin(), rests.end(),
                                      [](const auto& rest) { return !rest.empty() && !has_number(rest.front()); });
  if (cut.head == 0 && !word_first) return std::nullopt;
  std::set<std::string> first_words;
  if (word_first) {
    for (const auto& rest : rests)
      first_words.insert(text_of(rest.front()).substr(cut.head == 0 ? 0 : separator.size()));
  }
  if (first_words.size() > 1 || cut.head == 0) {
    NameLabel& label = labels.add(common_word({first_words.begin(), first_words.end()}), "variant", Kind::kWord);
    label.listed = true;
    const std::string name = label.name;
    pattern += (cut.head == 0 ? "" : separator) + "{" + name + "}";
    for (std::size_t s = 0; s < rests.size(); ++s) {
      labels.say(s, name, text_of(rests[s].front()).substr(cut.head == 0 ? 0 : separator.size()));
      rests[s].erase(rests[s].begin());
    }
  }
  std::map<std::string, std::vector<std::pair<std::size_t, std::vector<Token>>>> shapes;
  for (std::size_t s = 0; s < rests.size(); ++s) {
    for (const auto& segment : rests[s]) shapes[shape_of(segment)].emplace_back(s, segment);
  }
  for (const auto& [shape, found] : shapes) {
    std::vector<std::vector<Token>> said;
    std::vector<std::size_t> stems;
    for (const auto& [stem, tokens] : found) stems.push_back(stem), said.push_back(tokens);
    if (has_number(said.front())) {
      labels.rules.suffixes.push_back({pattern_of(said.front(), said, stems, labels, sound)});
      continue;
    }
    const std::string word = text_of(said.front());
    NameLabel& label = labels.add(word.substr(separator.size()), "word", Kind::kWord);
    label.listed = true;
    label.otherwise = "no";
    const std::string name = label.name;
    for (const std::size_t stem : stems) sound = labels.say(stem, name, "yes") && sound;
    labels.rules.suffixes.push_back({word, {{name, "yes"}}});
  }
  if (!sound) return std::nullopt;
  labels.rules.patterns = {pattern};
  return std::move(labels.rules);
}

/// Fills in what names do not say, and gathers the values that each label has.
NameRules finished(NameRules rules) {
  for (NameLabel& label : rules.labels) {
    std::set<std::string> values;
    for (auto& said : rules.of_stem) {
      if (!label.otherwise.empty()) said.emplace(label.name, label.otherwise);
      if (const auto at = said.find(label.name); at != said.end()) values.insert(at->second);
    }
    label.values.assign(values.begin(), values.end());
    if (label.type == LabelType::kText) continue;
    std::stable_sort(label.values.begin(), label.values.end(),
                     [](const std::string& a, const std::string& b) { return std::stod(a) < std::stod(b); });
  }
  return rules;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view stem) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < stem.size();) {
    const std::string_view rest = stem.substr(at);
    const bool fresh = at == 0 || !is_digit(stem[at - 1]);
    std::size_t length = fresh ? date_length(rest) : 0;
    Kind kind = Kind::kDate;
    if (length == 0) length = number_length(rest), kind = Kind::kNumber;
    if (length == 0) {
      kind = is_letter(rest.front()) ? Kind::kWord : Kind::kSeparator;
      length = 1;
      while (kind == Kind::kWord && length < rest.size() && is_letter(rest[length])) ++length;
    }
    tokens.push_back({kind, std::string(rest.substr(0, length))});
    at += length;
  }
  return tokens;
}

NameRules whole_names(const std::vector<std::string>& stems) {
  NameRules rules;
  rules.of_stem.resize(stems.size());
  if (std::set<std::string>(stems.begin(), stems.end()).size() < 2) return rules;
  NameLabel label;
  label.name = "run";
  label.listed = true;
  label.descriptive = stems.size() > kMostCompared;
  rules.labels.push_back(std::move(label));
  rules.patterns = {"{run}"};
  for (std::size_t s = 0; s < stems.size(); ++s) rules.of_stem[s].emplace("run", stems[s]);
  return finished(std::move(rules));
}

NameRules rules_of(const std::vector<std::string>& stems) {
  if (stems.empty()) return {};
  std::vector<std::vector<Token>> names;
  for (const std::string& stem : stems) names.push_back(tokens_of(stem));
  const Cut cut = cut_of(names);
  const bool same = std::all_of(names.begin(), names.end(), [&](const auto& n) { return n.size() == cut.head; });
  if (same) {
    Labels labels(names.size());
    bool sound = true;
    const std::string pattern = pattern_of(names.front(), names, all_stems(names.size()), labels, sound);
    if (labels.rules.labels.empty()) return whole_names(stems);
    labels.rules.patterns = {pattern};
    return finished(std::move(labels.rules));
  }
  if (auto rules = cut.tail > 0 || cut.head == 0 ? one_word_differs(names, cut) : std::nullopt) return finished(*rules);
  // More words than names are no structure.
  if (auto rules = parts_follow(names, cut); rules && rules->labels.size() <= stems.size()) return finished(*rules);
  if (auto rules = one_word_differs(names, cut)) return finished(*rules);
  return whole_names(stems);
}

}  // namespace assay::init
