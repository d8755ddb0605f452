#include "runs/names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>

#include "assay/words.hpp"
#include "config/label_value.hpp"
#include "runs/fields.hpp"
#include "runs/words.hpp"

namespace assay::naming {
namespace {

using Names = std::vector<std::vector<Field>>;

constexpr std::size_t kMaxCompared = 6;   // names without structure: with more, it is unclear what to compare
constexpr std::size_t kMaxPatterns = 16;  // more forms than this explain nothing

/// A number as in labels: without leading zeros, 0.50 as 0.5 and 1e-4 as 1e-04.
std::string plain(const std::string& number) {
  if (number.find_first_of(".eE") != std::string::npos) return shortest(std::stod(number));
  return number.substr(std::min(number.find_first_not_of('0'), number.size() - 1));
}

/// Names of labels that number repetitions or dates.
bool repeats(std::string_view name) {
  constexpr std::string_view kWords[] = {"run",     "rep",  "repeat",    "replicate", "trial",   "try",
                                         "attempt", "seed", "block",     "iter",      "job",     "pid",
                                         "id",      "time", "date",      "twin",      "take",    "profile",
                                         "report",  "host", "iteration", "night",     "nightly", "day"};
  return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
}

/// Indices of fields, one per name, that all names have in the same order: the longest common subsequence.
using Anchor = std::vector<std::size_t>;

std::vector<Anchor> anchors_of(const Names& names) {
  std::vector<std::string> common;
  for (const Field& field : names.front()) common.push_back(field.shape());
  for (const auto& fields : names) {
    std::vector<std::string> shapes;
    for (const Field& field : fields) shapes.push_back(field.shape());
    const std::size_t rows = common.size(), columns = shapes.size();
    std::vector<std::vector<std::size_t>> length(rows + 1, std::vector<std::size_t>(columns + 1));
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;)
        length[i][j] = common[i] == shapes[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
    }
    std::vector<std::string> kept;
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
      if (common[i] == shapes[j]) {
        kept.push_back(common[i]);
        ++i;
        ++j;
      } else {
        (length[i + 1][j] >= length[i][j + 1] ? i : j) += 1;
      }
    }
    common = std::move(kept);
  }
  std::vector<Anchor> anchors(common.size(), Anchor(names.size()));
  for (std::size_t n = 0; n < names.size(); ++n) {
    std::size_t at = 0;
    for (std::size_t a = 0; a < common.size(); ++a, ++at) {
      while (names[n][at].shape() != common[a]) ++at;
      anchors[a][n] = at;
    }
  }
  return anchors;
}

/// Builds labels, and the pattern of each name, from fields.
class Builder {
 public:
  explicit Builder(const Names& names) : names_(names), written_(names.size()) {
    rules_.of_stem.resize(names.size());
    for (std::size_t n = 0; n < names.size(); ++n) written_[n].resize(names[n].size());
  }

  std::optional<NameRules> build() {
    const std::vector<Anchor> anchors = anchors_of(names_);
    label_numbers();
    for (std::size_t gap = 0; gap <= anchors.size(); ++gap) label_words(anchors, gap);
    if (!sound_ || rules_.labels.empty()) return std::nullopt;
    for (std::size_t n = 0; n < names_.size(); ++n) {
      std::string pattern;
      for (std::size_t f = 0; f < names_[n].size(); ++f)
        pattern += written_[n][f].value_or(names_[n][f].before + names_[n][f].text());
      if (std::ranges::find(rules_.patterns, pattern) == rules_.patterns.end())
        rules_.patterns.push_back(std::move(pattern));
      if (rules_.patterns.size() > kMaxPatterns) return std::nullopt;
    }
    // In the order of the names.
    std::string all;
    for (const std::string& pattern : rules_.patterns) all += pattern + "\n";
    std::ranges::stable_sort(rules_.labels, [&](const NameLabel& a, const NameLabel& b) {
      return all.find("{" + a.name + "}") < all.find("{" + b.name + "}");
    });
    const bool one_sided =
        names_.size() == 2 && std::ranges::any_of(rules_.labels, [&](const auto& l) {
          return l.otherwise.empty() && rules_.of_stem[0].contains(l.name) != rules_.of_stem[1].contains(l.name);
        });
    const bool nothing_common = one_sided || (anchors.empty() && rules_.patterns.size() > 1);
    if (nothing_common) return std::nullopt;
    return std::move(rules_);
  }

 private:
  std::string free_name(const std::string& base) const {
    std::string name = base;
    for (int n = 2; find(name) != nullptr; ++n) name = base + "_" + std::to_string(n);
    return name;
  }
  [[nodiscard]] const NameLabel* find(std::string_view name) const {
    const auto at = std::ranges::find_if(rules_.labels, [&](const auto& l) { return l.name == name; });
    return at == rules_.labels.end() ? nullptr : &*at;
  }

  /// Numbers, dates and fields with a key: the same key in the same order of occurrence is the same label.
  void label_numbers() {
    std::map<std::pair<std::string, std::size_t>, std::size_t> label_of;
    for (std::size_t n = 0; n < names_.size(); ++n) {
      std::map<std::string, std::size_t> seen;
      for (std::size_t f = 0; f < names_[n].size(); ++f) {
        const Field& field = names_[n][f];
        if (field.values.empty()) continue;
        std::string text = field.before + field.texts.front();
        for (std::size_t v = 0; v < field.values.size(); ++v) {
          const std::string base = key_of(names_[n], f, v);
          const auto [at, fresh] = label_of.emplace(std::pair(base, seen[base]++), rules_.labels.size());
          if (fresh) rules_.labels.push_back(typed(field.kind, base));
          NameLabel& label = rules_.labels[at->second];
          text += fmt::format("{{{}}}{}", label.name, field.texts[v + 1]);
          set_field(n, label, field.kind, field.values[v].text);
        }
        written_[n][f] = std::move(text);
      }
    }
  }

  static std::string key_of(const std::vector<Field>& fields, std::size_t f, std::size_t v) {
    const FieldValue& value = fields[f].values[v];
    if (!value.key.empty()) return label_name(value.key, "number");
    return "number";
  }

  [[nodiscard]] bool before_pid(std::size_t field) const {
    const std::vector<Field>& fields = names_.front();
    return field + 1 < fields.size() && !fields[field + 1].values.empty() && key_of(fields, field + 1, 0) == "pid";
  }

  NameLabel typed(Field::Kind kind, const std::string& base) const {
    NameLabel label;
    label.name = free_name(base);
    label.type = kind == Field::Kind::kNumber ? LabelType::kInteger : LabelType::kText;
    label.rank = kind == Field::Kind::kNumber && (base == "rank" || base == "local_rank" || base == "global_rank");
    label.time = kind == Field::Kind::kDate || base == kDecimals;
    label.descriptive = label.rank || label.time || (kind == Field::Kind::kNumber && repeats(base));
    label.listed = kind == Field::Kind::kText || kind == Field::Kind::kPrecision;
    return label;
  }

  void set_field(std::size_t name, NameLabel& label, Field::Kind kind, const std::string& text) {
    const bool number = kind == Field::Kind::kNumber;
    if (number != (label.type != LabelType::kText)) sound_ = false;
    if (number && text.find_first_of(".eE") != std::string::npos) label.type = LabelType::kNumber;
    sound_ = rules_.of_stem[name].emplace(label.name, number ? plain(text) : text).second && sound_;
  }

  /// The words between two anchors: those before the first number between them, and those after it.
  void label_words(const std::vector<Anchor>& anchors, std::size_t gap) {
    const auto word_at = [&](std::size_t anchor) {
      const Field& field = names_.front()[anchors[anchor].front()];
      return field.kind == Field::Kind::kWord ? field.text() : std::string();
    };
    const std::string in_front = gap == 0 ? "" : word_at(gap - 1), behind = gap == anchors.size() ? "" : word_at(gap);
    for (const bool behind_number : {false, true}) {
      std::vector<std::vector<std::string>> words(names_.size());
      std::vector<std::vector<std::size_t>> places(names_.size());
      for (std::size_t n = 0; n < names_.size(); ++n) {
        const std::size_t begin = gap == 0 ? 0 : anchors[gap - 1][n] + 1;
        const std::size_t end = gap == anchors.size() ? names_[n].size() : anchors[gap][n];
        bool passed = false;
        for (std::size_t f = begin; f < end; ++f) {
          const bool word = names_[n][f].kind == Field::Kind::kWord;
          passed = passed || !word;
          if (!word || passed != behind_number) continue;
          words[n].push_back(names_[n][f].text());
          places[n].push_back(f);
        }
      }
      for (const WordLabel& found : word_labels_of(words)) add_words(found, places, in_front, behind);
    }
  }

  /// A label made of words; several that are not adjacent in a name cannot be one placeholder.
  void add_words(const WordLabel& found, const std::vector<std::vector<std::size_t>>& places,
                 const std::string& in_front, const std::string& behind) {
    std::vector<std::string> values;
    std::unordered_set<std::string> known;
    std::vector<std::string> of_name(names_.size());
    for (std::size_t n = 0; n < names_.size(); ++n) {
      const WordLabel::Place& place = found.of_name[n];
      for (std::size_t w = 0; w < place.count; ++w) {
        const std::size_t f = places[n][place.begin + w];
        if (w > 0 && f != places[n][place.begin + w - 1] + 1) sound_ = false;
        of_name[n] += (w == 0 ? "" : names_[n][f].before) + names_[n][f].text();
      }
      if (place.count > 0 && known.insert(of_name[n]).second) values.push_back(of_name[n]);
    }
    NameLabel label;
    // PyTorch's own handler names a trace HOST_PID.TIME.
    const bool host = found.of_name.front().count > 0 &&
                      before_pid(places.front()[found.of_name.front().begin + found.of_name.front().count - 1]);
    label.name = free_name(host ? "host" : label_name(name_of_words(values, in_front, behind, found.flag), "variant"));
    label.descriptive = host;
    label.listed = true;
    if (found.optional) label.otherwise = found.flag ? says_of_next(values) ? "yes" : "no" : "none";
    for (std::size_t n = 0; n < names_.size(); ++n) {
      if (of_name[n].empty()) continue;
      rules_.of_stem[n].emplace(label.name, of_name[n]);
      const WordLabel::Place& place = found.of_name[n];
      for (std::size_t w = 0; w < place.count; ++w) written_[n][places[n][place.begin + w]] = std::string();
      const std::size_t first = places[n][place.begin];
      written_[n][first] = fmt::format("{}{{{}}}", names_[n][first].before, label.name);
    }
    rules_.labels.push_back(std::move(label));
  }

  const Names& names_;
  std::vector<std::vector<std::optional<std::string>>> written_;  // the pattern's text for a field; empty: unchanged
  NameRules rules_;
  bool sound_ = true;
};

/// Longest list of values: each name is compared with all of them, and nobody reads more.
constexpr std::size_t kMaxListed = 1000;

/// Fills in what names omit, collects the values of each label, and drops uninformative labels with one value.
NameRules finished(NameRules rules) {
  for (NameLabel& label : rules.labels) {
    std::set<std::string> values;
    for (auto& said : rules.of_stem) {
      if (!label.otherwise.empty()) said.emplace(label.name, label.otherwise);
      if (const auto at = said.find(label.name); at != said.end()) values.insert(at->second);
    }
    label.values.assign(values.begin(), values.end());
    label.listed = label.listed && label.values.size() <= kMaxListed;
    if (label.type == LabelType::kText) continue;
    std::ranges::stable_sort(label.values,
                             [](const std::string& a, const std::string& b) { return std::stod(a) < std::stod(b); });
  }
  return rules;
}

/// 0, 1, 2, ... or 1, 2, 3, ...: numbers of files that otherwise agree.
bool counts_up(const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != std::to_string(i + (values.front() == "0" ? 0 : 1))) return false;
  }
  return values.size() > 1;
}

/// Whether a number that differs in every file only numbers files that words already distinguish: of a job, of an
/// experiment.
bool only_numbers_files(const NameLabel& label, const NameRules& rules) {
  constexpr std::string_view kIndices[] = {"exp", "test", "case",   "id",  "idx", "index",
                                           "no",  "nr",   "config", "cfg", "job", "jobid"};
  if (label.type != LabelType::kInteger || label.values.size() < rules.of_stem.size()) return false;
  const bool words = std::ranges::any_of(rules.labels, [](const NameLabel& other) {
    return other.type == LabelType::kText && !other.descriptive && other.values.size() > 1;
  });
  constexpr std::size_t kDigitsOfAJob = 5;
  const bool index = std::find(std::begin(kIndices), std::end(kIndices), label.name) != std::end(kIndices);
  return words && (index || (label.name.starts_with("number") && label.values.front().size() >= kDigitsOfAJob));
}

/// Seconds or finer since 1970, as "1764000000.25" or "1700000005000000".
bool is_time(const std::string& value) {
  const std::size_t digits = std::min(value.find('.'), value.size());
  constexpr std::size_t kSeconds = 10, kFiner = 3;
  return digits >= kSeconds && (digits - kSeconds) % kFiner == 0 && value.front() == '1';
}

/// Numbers without a name: one that counts up is a repetition, one named "worker" a rank.
void judge_numbers(NameRules& rules) {
  const auto unnamed =
      std::ranges::count_if(rules.labels, [](const NameLabel& l) { return l.name.starts_with("number"); });
  for (NameLabel& label : rules.labels) {
    if (label.type != LabelType::kText && std::ranges::all_of(label.values, is_time)) label.time = true;
    label.descriptive |= label.time;
    if (label.name == "number" && unnamed == 1) label.descriptive = counts_up(label.values);
    if (only_numbers_files(label, rules)) label.descriptive = true;
    if ((label.name == "worker" || label.name == "r") && counts_up(label.values) && label.values.front() == "0")
      label.rank = label.descriptive = true;
  }
}

}  // namespace

NameRules whole_names(const std::vector<std::string>& stems) {
  NameRules rules;
  rules.of_stem.resize(stems.size());
  if (std::set<std::string>(stems.begin(), stems.end()).size() < 2) return rules;
  NameLabel label;
  label.name = "run";
  label.listed = true;
  label.descriptive = stems.size() > kMaxCompared;
  rules.labels.push_back(std::move(label));
  rules.patterns = {"{run}"};
  for (std::size_t s = 0; s < stems.size(); ++s) rules.of_stem[s].emplace("run", stems[s]);
  return finished(std::move(rules));
}

NameRules rules_of(const std::vector<std::string>& stems) {
  if (std::set<std::string>(stems.begin(), stems.end()).size() < 2) return whole_names(stems);
  const Names names = fields_of(stems);
  auto rules = Builder(names).build();
  // More labels of words than names are no structure.
  if (!rules || rules->labels.size() > stems.size() + 12) return whole_names(stems);
  NameRules out = finished(std::move(*rules));
  judge_numbers(out);
  // Many names that have nothing in common.
  const bool one_word = out.labels.size() == 1 && out.patterns.front() == "{" + out.labels.front().name + "}";
  return one_word && stems.size() > kMaxCompared ? whole_names(stems) : out;
}

std::vector<std::string> with_telling_folders(const std::vector<std::string>& paths) {
  std::vector<std::vector<std::string>> parts;
  std::size_t depth = paths.empty() ? 0 : paths.front().size();
  for (const std::string& path : paths) {
    parts.emplace_back();
    for (std::size_t at = 0; at <= path.size();) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      parts.back().push_back(path.substr(at, end - at));
      at = end + 1;
    }
    depth = std::min(depth, parts.back().size());
  }
  // The fewest folders that distinguish all names that folders can distinguish.
  std::size_t used = 1;
  for (std::size_t level = 2; level <= depth; ++level) {
    const bool differs = std::ranges::any_of(
        parts, [&](const auto& p) { return p[p.size() - level] != parts.front()[parts.front().size() - level]; });
    if (differs) used = level;
  }
  std::vector<std::string> out;
  for (const auto& part : parts) {
    std::string name;
    for (std::size_t i = part.size() - std::min(used, part.size()); i < part.size(); ++i)
      name += (name.empty() ? "" : "/") + part[i];
    out.push_back(std::move(name));
  }
  return out;
}

}  // namespace assay::naming
