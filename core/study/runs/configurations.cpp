#include "runs/configurations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "assay/detail/text.hpp"
#include "assay/words.hpp"
#include "runs/find_runs.hpp"
#include "runs/name_parts.hpp"
#include "runs/run_facts.hpp"

namespace assay {
namespace {

using naming::NameLabel;
using naming::NameRules;
using Words = std::set<std::string_view>;

/// Numbers behind these set something that may change no kernel, and that one wants to know the effect of.
bool sets_something(std::string_view word) {
  static const Words kWords = {
      "numa",    "workers",  "worker",      "nw",      "threads",   "thread", "clock",  "channels", "queue",
      "depth",   "prefetch", "bs",          "batch",   "batchsize", "mbs",    "gbs",    "seq",      "seqlen",
      "len",     "ctx",      "px",          "res",     "size",      "dim",    "hidden", "heads",    "layers",
      "ff",      "patch",    "tp",          "pp",      "dp",        "cp",     "ep",     "sp",       "ws",
      "gpus",    "ngpu",     "ngpus",       "nodes",   "lr",        "wd",     "accum",  "ga",       "qps",
      "chunk",   "tile",     "warps",       "stages",  "power",     "watt",   "mhz",    "streams",  "cores",
      "buckets", "bucket",   "concurrency", "clients", "users",     "rate",   "cap",    "limit"};
  return kWords.contains(word.substr(word.rfind('_') + 1));
}

bool is_id(const std::string& value) {
  const bool digits = std::ranges::all_of(value, is_digit);
  const bool hex = value.size() >= 6 && std::ranges::any_of(value, is_digit) &&
                   std::ranges::all_of(value, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
  return digits ? value.size() >= kDigitsOfId : hex;
}

/// Decides the labels of one set of names.
class Judge {
 public:
  Judge(NameRules& rules, const std::vector<NamedProfile>& profiles, const RunChoice& choice)
      : rules_(rules), profiles_(profiles), choice_(choice), program_(programs_of(profiles)) {
    known_ = std::ranges::any_of(program_, [](std::size_t one) { return one != kUnknownProgram; });
  }

  Configurations judge() {
    for (NameLabel& label : rules_.labels) {
      if (varies_within_a_run(label) || says_what_the_file_says(label)) none_.insert(&label);
    }
    for (NameLabel& label : rules_.labels) decide(label);
    for (NameLabel& label : rules_.labels) follow(label);
    Configurations out;
    out.unlike = differ_unseen();
    if (known_) add_assumptions(out);
    return out;
  }

 private:
  [[nodiscard]] std::string value(std::size_t file, const NameLabel& label) const {
    const auto at = rules_.of_stem[file].find(label.name);
    return at == rules_.of_stem[file].end() ? label.otherwise : at->second;
  }

  [[nodiscard]] bool varies_within_a_run(const NameLabel& label) const {
    std::map<std::size_t, std::size_t> first;  // file, by run
    for (std::size_t f = 0; f < profiles_.size(); ++f) {
      const std::size_t other = first.emplace(profiles_[f].run, f).first->second;
      if (value(f, label) != value(other, label)) return true;
    }
    return false;
  }

  /// Whether it is the host, process, rank or start of each file, and so says nothing new.
  [[nodiscard]] bool says_what_the_file_says(const NameLabel& label) const {
    const auto all = [&](const auto& stated) {
      for (std::size_t f = 0; f < profiles_.size(); ++f) {
        if (profiles_[f].facts == nullptr || value(f, label).empty() || !stated(f)) return false;
      }
      return label.values.size() > 1;
    };
    const bool ranked = std::ranges::any_of(profiles_, [](const NamedProfile& p) { return p.rank > 0; });
    return all([&](std::size_t f) { return ranked && value(f, label) == std::to_string(profiles_[f].rank); }) ||
           all([&](std::size_t f) {
             const std::string& host = profiles_[f].facts->host;
             return !host.empty() && (host == value(f, label) || host.starts_with(value(f, label) + "."));
           }) ||
           all([&](std::size_t f) {
             const std::vector<std::int64_t> pids = pids_of(*profiles_[f].facts);
             return pids.size() == 1 && value(f, label) == std::to_string(pids.front());
           });
  }

  static bool names(const std::vector<std::string>& fields, const NameLabel& label) {
    return std::ranges::any_of(fields, [&](const std::string& field) { return is_field(field, label.name); });
  }

  /// "prof" of "prof_2", its second number.
  static std::string_view word_of(const NameLabel& label) {
    return std::string_view(label.name).substr(0, label.name.find_last_not_of("0123456789_") + 1);
  }

  /// "layers" of "vit {vit} layers": the unit of a number, if no number of its own follows.
  [[nodiscard]] std::string unit_of(const NameLabel& label) const {
    constexpr std::string_view kSeparators = " _-.";
    for (const std::string& pattern : rules_.patterns) {
      const std::string field = "{" + label.name + "}";
      const std::size_t at = pattern.find(field);
      if (at == std::string::npos) continue;
      const std::size_t begin = std::min(pattern.find_first_not_of(kSeparators, at + field.size()), pattern.size());
      std::size_t end = begin;
      while (end < pattern.size() && is_letter(pattern[end])) ++end;
      const std::size_t next = pattern.find_first_not_of(kSeparators, end);
      if (next == std::string::npos || (pattern[next] != '{' && !is_digit(pattern[next])))
        return lower_case(pattern.substr(begin, end - begin));
    }
    return {};
  }

  void decide(NameLabel& label) {
    if (names(choice_.labels, label) || (!choice_.by.empty() && choice_.by == label.name))
      return set(label, false, "as asked");
    if (names(choice_.repeats, label)) return set(label, true, "as asked");
    if (none_.contains(&label)) return set(label, true, {});
    if (label.rank || label.time) return;
    if (label.type == LabelType::kText && !std::ranges::all_of(label.values, is_id)) {
      if (are_roles(label) && choice_.by != "role") set(label, true, "roles");
      return;
    }
    if (!known_ || label.values.size() < 2) return;
    if (std::ranges::all_of(label.values, is_id)) return set(label, !distinguishes(label), "equal kernels");
    const std::string_view word = word_of(label);
    if (goes_with_programs(label)) return set(label, false, "other kernels");
    if (counts_runs(word)) return set(label, true, "equal kernels");
    if (sets_something(word) || sets_something(unit_of(label))) return set(label, false, "a setting");
    set(label, counts_up(label), "equal kernels");
  }

  static bool are_roles(const NameLabel& label) {
    std::set<std::string> roles;
    for (const std::string& value : label.values) roles.insert(parts_of(value).role);
    return label.values.size() > 1 && roles.size() == label.values.size() && !roles.contains("");
  }

  void set(NameLabel& label, bool repeats, const std::string& why) {
    label.descriptive = repeats;
    why_[&label] = why;
  }

  /// 0, 1, 2, ... or 1, 2, 3, ...
  static bool counts_up(const NameLabel& label) {
    for (std::size_t i = 0; i < label.values.size(); ++i) {
      if (label.values[i] != std::to_string(i + (label.values.front() == "0" ? 0 : 1))) return false;
    }
    return true;
  }

  [[nodiscard]] bool counted(const NameLabel& label) const {
    return none_.contains(&label) || label.time || label.rank;
  }

  /// Whether one always has another value where the other has.
  [[nodiscard]] bool vary_together(const NameLabel& a, const NameLabel& b) {
    const auto [known, fresh] = together_.try_emplace({&a, &b}, false);
    if (fresh) known->second = determine_each_other(a, b);
    return known->second;
  }

  [[nodiscard]] bool determine_each_other(const NameLabel& a, const NameLabel& b) const {
    std::map<std::string, std::string> of_a, of_b;
    for (std::size_t f = 0; f < profiles_.size(); ++f) {
      if (of_a.emplace(value(f, a), value(f, b)).first->second != value(f, b)) return false;
      if (of_b.emplace(value(f, b), value(f, a)).first->second != value(f, a)) return false;
    }
    return true;
  }

  /// Everything that a file is called but for a label, what varies with it, and what says nothing of its run.
  [[nodiscard]] std::string rest(std::size_t file, const NameLabel& but, bool with_counters) {
    std::string text = std::to_string(profiles_[file].side);
    for (const NameLabel& label : rules_.labels) {
      const bool counter = label.type != LabelType::kText && counts_runs(word_of(label));
      if (&label == &but || counted(label) || vary_together(label, but) || (counter && !with_counters)) continue;
      text += value(file, label) + "\1";
    }
    return text;
  }

  /// Whether runs that are called alike but for this label ran other programs. Where counters give each run a name of
  /// its own, they are left out, and each value must have one program.
  [[nodiscard]] bool goes_with_programs(const NameLabel& label) {
    std::map<std::string, std::set<std::size_t>> programs, of_value;
    for (const bool with_counters : {true, false}) {
      if (!with_counters && counts_runs(word_of(label))) return false;
      programs.clear();
      for (std::size_t f = 0; f < profiles_.size(); ++f) {
        if (program(f) == kUnknownProgram) continue;
        const std::string others = rest(f, label, with_counters);
        programs[others].insert(program(f));
        of_value[others + "\2" + value(f, label)].insert(program(f));
      }
      const auto several = [](const auto& one) { return one.second.size() > 1; };
      if (std::ranges::any_of(programs, several) && (with_counters || std::ranges::none_of(of_value, several)))
        return true;
    }
    return false;
  }

  /// An id: its values go with other programs, or several runs that are called alike share one.
  [[nodiscard]] bool distinguishes(const NameLabel& label) const {
    std::map<std::string, std::set<std::size_t>> programs, runs;  // by value; by value and other words
    for (std::size_t f = 0; f < profiles_.size(); ++f) {
      const std::string of_side = std::to_string(profiles_[f].side) + value(f, label);
      programs[of_side].insert(program(f));
      std::string words;
      for (const NameLabel& other : rules_.labels) {
        if (other.type == LabelType::kText && !counted(other)) words += value(f, other) + "\1";
      }
      runs[of_side + "\2" + words].insert(profiles_[f].run);
    }
    std::set<std::size_t> all;
    std::size_t count = 0;
    for (const auto& [value, of_value] : programs) {
      all.insert(of_value.begin(), of_value.end());
      count += of_value.size();
    }
    const bool shared = std::ranges::any_of(runs, [](const auto& one) { return one.second.size() > 1; });
    return (all.size() > 1 && count == all.size() && all.size() == programs.size()) || shared;
  }

  /// Fields that never vary apart are one label: the one with words, else the first.
  void follow(NameLabel& label) {
    if (label.descriptive || label.values.size() < 2 || !known_) return;
    for (const NameLabel& other : rules_.labels) {
      if (&other == &label || other.descriptive || other.values.size() < 2 || !vary_together(label, other)) continue;
      const bool words = label.type == LabelType::kText, other_words = other.type == LabelType::kText;
      if (words && (!other_words || &label < &other)) continue;
      if (words == other_words && &label < &other) continue;
      if (!names(choice_.labels, label)) set(label, true, "follows " + other.name);
      return;
    }
  }

  [[nodiscard]] std::size_t program(std::size_t file) const { return program_[profiles_[file].run]; }

  /// Runs by their labels.
  [[nodiscard]] std::map<std::string, std::set<std::size_t>> configurations() const {
    std::map<std::string, std::set<std::size_t>> runs;
    const bool roles = std::ranges::any_of(rules_.labels, [&](const NameLabel& l) { return why_of(l) == "roles"; });
    for (std::size_t f = 0; f < profiles_.size(); ++f) {
      std::string text = std::to_string(profiles_[f].side);
      for (const NameLabel& label : rules_.labels) {
        if (!label.descriptive) text += value(f, label) + "\1";
      }
      if (roles) text += std::to_string(program(f));
      runs[text].insert(profiles_[f].run);
    }
    return runs;
  }

  [[nodiscard]] std::string why_of(const NameLabel& label) const {
    const auto at = why_.find(&label);
    return at == why_.end() ? std::string() : at->second;
  }

  [[nodiscard]] bool differ_unseen() const {
    for (const auto& [labels, runs] : configurations()) {
      std::set<std::size_t> programs;
      for (const std::size_t run : runs) {
        if (program_[run] != kUnknownProgram) programs.insert(program_[run]);
      }
      if (programs.size() > 1) return true;
    }
    return false;
  }

  void add_assumptions(Configurations& out) const {
    const auto runs = configurations();
    std::size_t most = 0;
    for (const auto& [labels, of_labels] : runs) most = std::max(most, of_labels.size());
    for (const NameLabel& label : rules_.labels) {
      if (label.values.size() < 2 || none_.contains(&label)) continue;
      const std::string why = why_of(label), field = fmt::format("{}_{{n}}", label.name);
      if (label.descriptive && why == "roles") {
        out.assumed.push_back(
            fmt::format("{} are roles of one system, parts of a run; --by role compares them", listed(label.values)));
      } else if (label.descriptive && why == "equal kernels" && most > 1) {
        std::set<std::size_t> sides;
        for (const NamedProfile& profile : profiles_) sides.insert(profile.side);
        const std::string what = runs.size() > sides.size() ? fmt::format("up to {} repeats a configuration", most)
                                 : sides.size() > 1         ? fmt::format("up to {} repeats a side", most)
                                                            : fmt::format("{} repeats of one program", most);
        out.assumed.push_back(fmt::format("{} ({}: equal kernels); --label {} compares them", what, field, label.name));
      } else if (!label.descriptive && (why == "a setting" || why == "other kernels") &&
                 label.type != LabelType::kText) {
        out.assumed.push_back(fmt::format("{} distinguishes configurations ({}); --repeats {} counts it as repeats",
                                          field, why, label.name));
      }
    }
  }

  NameRules& rules_;
  const std::vector<NamedProfile>& profiles_;
  const RunChoice& choice_;
  std::vector<std::size_t> program_;  // by run
  bool known_ = false;
  std::set<const NameLabel*> none_;
  std::map<const NameLabel*, std::string> why_;
  std::map<std::pair<const NameLabel*, const NameLabel*>, bool> together_;
};

}  // namespace

std::vector<NamedProfile> named_profiles(const Catalog& catalog, const std::vector<const FoundFile*>& files,
                                         std::size_t first, std::size_t side) {
  std::vector<NamedProfile> out;
  std::map<std::string_view, std::size_t> runs;
  for (const FoundFile* file : files) {
    const std::string_view job = property_text(*file, kJobName);
    const std::size_t run = runs.emplace(job.empty() ? std::string_view(file->name) : job, runs.size()).first->second;
    const auto f = static_cast<std::size_t>(file - catalog.files.data());
    out.push_back({first + run, side, number_in<std::int64_t>(property_text(*file, "rank")).value_or(-1),
                   f < catalog.facts.size() ? &catalog.facts[f] : nullptr});
  }
  return out;
}

ProfilesByTool profiles_by_tool(const Catalog& catalog) {
  ProfilesByTool by_tool;
  if (catalog.questions.empty()) return by_tool;
  for (const CatalogEntry& entry : catalog.questions.front().entries) {
    const FoundFile& file = catalog.files[entry.file];
    if (is_report(file.kind) && !file.kind.counters) by_tool[file.kind.word].push_back(&file);
  }
  return by_tool;
}

std::vector<std::size_t> programs_of(const std::vector<NamedProfile>& profiles) {
  std::map<std::size_t, std::map<std::int64_t, const Program*>> of_run;  // by rank, else by position
  for (const NamedProfile& profile : profiles) {
    if (profile.facts == nullptr || profile.facts->program.empty()) continue;
    auto& ranks = of_run[profile.run];
    ranks.emplace(profile.rank >= 0 ? profile.rank : -1, &profile.facts->program);
  }
  std::size_t count = 0;
  for (const NamedProfile& profile : profiles) count = std::max(count, profile.run + 1);
  std::vector<std::size_t> out(count, kUnknownProgram), first;  // first run of each program
  for (const auto& [run, ranks] : of_run) {
    const auto same = [&](std::size_t other) {
      const auto& theirs = of_run.at(other);
      return std::ranges::all_of(ranks, [&](const auto& rank) {
        const auto at = theirs.find(rank.first);
        return at == theirs.end() || common_share(*rank.second, *at->second) >= kSameProgram;
      });
    };
    const auto known = std::ranges::find_if(first, same);
    out[run] = static_cast<std::size_t>(known - first.begin());
    if (known == first.end()) first.push_back(run);
  }
  return out;
}

Status check_one_program(const std::vector<NamedProfile>& profiles, const std::vector<const FoundFile*>& files) {
  const std::vector<std::size_t> programs = programs_of(profiles);
  std::size_t known = SIZE_MAX;  // the first profile with a program
  for (std::size_t f = 0; f < files.size(); ++f) {
    const std::size_t program = programs[profiles[f].run];
    if (program == kUnknownProgram) continue;
    if (known == SIZE_MAX) known = f;
    if (program == programs[profiles[known].run]) continue;
    const double share = common_share(profiles[known].facts->program, profiles[f].facts->program);
    return Error{
        fmt::format("'{}' and '{}' are not repeats of one program: {} of their kernel time is in equal kernels "
                    "(name and grid)",
                    files[known]->name, files[f]->name, percent(share, 0))}
        .at(files[f]->path.string())
        .advise("name the profiles of one of them, or see what differs with 'assay compare'");
  }
  return ok();
}

Status check_one_program(const Catalog& catalog) {
  for (const auto& [tool, files] : profiles_by_tool(catalog)) {
    if (const Status one = check_one_program(named_profiles(catalog, files), files); !one) return one;
  }
  return ok();
}

Configurations judge_names(NameRules& rules, const std::vector<NamedProfile>& profiles, const RunChoice& choice) {
  return Judge(rules, profiles, choice).judge();
}

}  // namespace assay
