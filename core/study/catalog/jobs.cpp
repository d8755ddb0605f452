#include "catalog/jobs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "assay/detail/text.hpp"
#include "assay/words.hpp"
#include "catalog/graph_captures.hpp"
#include "load/format.hpp"
#include "load/report_names.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::int64_t number_or_none(std::string_view text) { return number_in<std::int64_t>(text).value_or(-1); }

/// What a file name says about the position of its process.
struct NameParts {
  std::string run;                      ///< without rank, process and time
  std::string job;                      ///< also without host and parallel dimensions
  std::optional<std::int64_t> rank;     ///< "rank3", "rank[3]", "_r3"
  bool one_letter = false;              ///< "_r3", which may also be the third repeat
  std::vector<std::int64_t> dimension;  ///< numbers after tp, pp, ..., in name order
  std::string time;                     ///< seconds or more since 1970; empty: none
};

bool is_parallel(std::string_view word) {
  constexpr std::string_view kWords[] = {"tp", "dp", "pp", "ep", "cp", "sp", "dcp", "pcp"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

constexpr std::size_t kDigitsOfTime = 10;

/// PyTorch's own handler names a trace HOST_PID.TIME.
bool is_host_pid_time(std::string_view stem) {
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos || stem.size() - dot - 1 < kDigitsOfTime) return false;
  const std::string_view before = stem.substr(0, dot);
  const std::size_t pid = before.find_last_not_of("0123456789");
  return std::ranges::all_of(stem.substr(dot + 1), is_digit) && pid != std::string_view::npos && pid > 0 &&
         pid + 1 < before.size() && before[pid] == '_';
}

/// Splits a name into words with their numbers, and replaces the numbers that distinguish processes of one job.
NameParts parts_of(std::string_view stem) {
  constexpr std::size_t kDigitsOfPid = 4;
  NameParts parts;
  std::string word;     // leading letters, in lower case
  std::size_t gap = 0;  // characters since then
  for (std::size_t at = 0; at < stem.size();) {
    std::size_t end = at;
    while (end < stem.size() && is_letter(stem[end])) ++end;
    if (end > at) {
      word = lower_case(stem.substr(at, end - at));
      gap = 0;
      parts.run += stem.substr(at, end - at);
      parts.job += stem.substr(at, end - at);
      at = end;
      continue;
    }
    while (end < stem.size() && is_digit(stem[end])) ++end;
    if (end == at) {
      parts.run += stem[at];
      parts.job += stem[at];
      ++at;
      ++gap;
      continue;
    }
    const std::string_view digits = stem.substr(at, end - at);
    const bool behind_word = !word.empty() && gap <= 1, apart = at == 0 || !is_letter(stem[at - 1]);
    const bool bare_r = word == "r" && gap == 0 && at >= 2 && !is_letter(stem[at - 2]) && !is_digit(stem[at - 2]);
    const bool rank = behind_word && (word == "rank" || (bare_r && (end == stem.size() || !is_letter(stem[end]))));
    const bool dimension = behind_word && is_parallel(word);
    const bool time = apart && digits.size() >= kDigitsOfTime, pid = apart && digits.size() >= kDigitsOfPid;
    if (rank) {
      parts.rank = number_or_none(digits);
      parts.one_letter = bare_r;
    }
    if (dimension) parts.dimension.push_back(number_or_none(digits));
    if (time) parts.time = digits;
    parts.run += rank || time ? "#" : digits;
    parts.job += rank || time || pid || dimension ? "#" : digits;
    word.clear();
    at = end;
  }
  if (is_host_pid_time(stem)) parts.job = "#";
  return parts;
}

struct Rank {
  std::size_t file = 0;
  std::int64_t rank = -1;  ///< -1: not known yet
  std::string folder;
  NameParts name;
  std::string started;
};
using Ranks = std::vector<Rank*>;

bool all_differ(const Ranks& ranks) {
  std::set<std::int64_t> seen;
  return std::ranges::all_of(ranks, [&](const Rank* rank) { return seen.insert(rank->rank).second; });
}

/// Whether they are all ranks of a job of this size, each once.
bool is_whole(const Ranks& ranks, std::string_view world) {
  return ranks.size() > 1 && all_differ(ranks) && static_cast<std::int64_t>(ranks.size()) == number_or_none(world);
}

bool several_ranks(const Ranks& ranks) {
  return std::ranges::any_of(ranks, [&](const Rank* rank) { return rank->rank != ranks.front()->rank; });
}

void set(FoundFile& file, std::string_view name, std::string value) {
  file.environment.emplace_back(name, std::move(value));
  std::ranges::sort(file.environment);
}

class Jobs {
 public:
  explicit Jobs(FileList& list) : list_(list) {}

  void find() {
    std::map<std::vector<std::string>, Ranks> alike;  // by folder, kind, job size and name
    for (Rank& rank : ranks()) {
      const FoundFile& file = list_.files[rank.file];
      alike[{rank.folder, std::string(file.kind.word), std::string(property_text(file, "world_size")), rank.name.job}]
          .push_back(&rank);
    }
    std::map<std::vector<std::string>, Ranks> lone;  // in sibling folders with a rank each; in one folder
    for (auto& [key, ranks] : alike) {
      name_ranks(ranks);
      std::erase_if(ranks, [](const Rank* rank) { return rank->rank < 0; });
      if (ranks.empty()) continue;
      if (several_ranks(ranks)) {
        part(ranks);
        continue;
      }
      const std::string above = fs::path(key[0]).parent_path().native();
      Ranks& siblings = lone[{above, parts_of(fs::path(key[0]).filename().native()).job, key[1], key[2], key[3]}];
      siblings.insert(siblings.end(), ranks.begin(), ranks.end());
    }
    std::map<std::vector<std::string>, Ranks> hosts, left;  // in sibling folders of any name; in one folder
    for (auto& [key, ranks] : lone) {
      if (several_ranks(ranks)) {
        part(ranks);
        continue;
      }
      Ranks& siblings = hosts[{key[0], key[2], key[3], key[4]}];
      siblings.insert(siblings.end(), ranks.begin(), ranks.end());
    }
    for (auto& [key, ranks] : hosts) {
      if (is_whole(ranks, key[2])) {
        join(ranks);
        continue;
      }
      for (Rank* rank : ranks) left[{rank->folder, key[1], key[2]}].push_back(rank);
    }
    // Names without ranks: all ranks of a job of this size, each once.
    for (auto& [key, ranks] : left) {
      const bool named = std::ranges::any_of(ranks, [](const Rank* rank) { return rank->name.rank.has_value(); });
      if (!named && is_whole(ranks, key[2])) join(ranks);
    }
    add_companions();
  }

 private:
  /// Files that may be ranks: by their content, or by their names.
  std::vector<Rank>& ranks() {
    for (std::size_t f = 0; f < list_.files.size(); ++f) {
      const FoundFile& file = list_.files[f];
      const fs::path path = list_.absolute[f];
      if (!is_report(file.kind) || file.kind.counters || property_text(file, "world_size") == "1") continue;
      if (file.kind.framework && named_like_graph_capture(path)) continue;
      Rank rank{f, number_or_none(property_text(file, "rank")), path.parent_path().native(),
                parts_of(stem_of(path.filename().native())), std::string(property_text(file, "recorded"))};
      if (rank.started.empty()) rank.started = rank.name.time;
      if (rank.rank >= 0 || rank.name.rank || !rank.name.dimension.empty()) ranks_.push_back(std::move(rank));
    }
    return ranks_;
  }

  using Places = std::map<std::vector<std::int64_t>, Ranks>;

  /// Whether the positions form a complete grid from 0; those of "rank8" and "rank16", or "tp2" and "tp4", do not.
  static bool is_grid(const Places& places) {
    std::vector<std::set<std::int64_t>> values(places.begin()->first.size());
    std::size_t cells = 1;
    for (const auto& [place, of_place] : places) {
      if (place.size() != values.size()) return false;
      for (std::size_t d = 0; d < place.size(); ++d) values[d].insert(place[d]);
    }
    for (const std::set<std::int64_t>& of_dimension : values) {
      if (*of_dimension.begin() != 0 || *of_dimension.rbegin() + 1 != static_cast<std::int64_t>(of_dimension.size()))
        return false;
      cells *= of_dimension.size();
    }
    return cells == places.size() && cells > 1;
  }

  /// If no file states its rank, uses the numbers in names if they form 0, 1, 2, ...; without the word rank, the order
  /// of the parallel dimensions.
  void name_ranks(const Ranks& ranks) {
    if (std::ranges::any_of(ranks, [](const Rank* rank) { return rank->rank >= 0; })) return;
    // Repeats mistaken for ranks would lose their spread, so a single letter counts only if a file states the size of
    // its job.
    if (std::ranges::any_of(ranks, [&](const Rank* rank) {
          return rank->name.one_letter && property_text(list_.files[rank->file], "world_size").empty();
        }))
      return;
    const bool named = std::ranges::all_of(ranks, [](const Rank* rank) { return rank->name.rank.has_value(); });
    Places by_place;
    for (Rank* rank : ranks)
      by_place[named ? std::vector<std::int64_t>{*rank->name.rank} : rank->name.dimension].push_back(rank);
    if (!is_grid(by_place)) return;
    std::int64_t next = 0;
    for (const auto& [place, of_place] : by_place) {
      for (Rank* rank : of_place) {
        rank->rank = next;
        set(list_.files[rank->file], "rank", std::to_string(next));
      }
      ++next;
    }
  }

  /// Splits into jobs with each rank once: by the rest of their names if that gives several ranks, else by time.
  void part(const Ranks& ranks) {
    if (all_differ(ranks)) return join(ranks);
    std::map<std::pair<std::string, std::string>, Ranks> runs;
    for (Rank* rank : ranks) runs[{rank->folder, rank->name.run}].push_back(rank);
    const bool by_name =
        runs.size() > 1 && std::ranges::any_of(runs, [](const auto& run) { return several_ranks(run.second); });
    if (!by_name) return in_order(ranks);
    for (auto& [name, run] : runs) in_order(run);
  }

  void in_order(Ranks ranks) {
    std::ranges::stable_sort(ranks, [&](const Rank* a, const Rank* b) {
      return std::tie(a->started, list_.absolute[a->file]) < std::tie(b->started, list_.absolute[b->file]);
    });
    std::map<std::int64_t, std::size_t> seen;
    std::map<std::size_t, Ranks> jobs;
    for (Rank* rank : ranks) jobs[seen[rank->rank]++].push_back(rank);
    for (const auto& [number, job] : jobs) join(job);
  }

  void join(const Ranks& ranks) {
    if (ranks.size() < 2) return;
    std::string name = list_.files[ranks.front()->file].name;
    for (const Rank* rank : ranks) name = std::min(name, list_.files[rank->file].name);
    for (const Rank* rank : ranks) {
      set(list_.files[rank->file], kJobName, name);
      job_in_.emplace(std::pair(rank->folder, list_.files[rank->file].kind.word), name);
    }
  }

  /// A trace that does not state that it has no device may be damaged; it stays a profile so that its problem is
  /// reported.
  void add_companions() {
    for (std::size_t f = 0; f < list_.files.size() && !job_in_.empty(); ++f) {
      FoundFile& file = list_.files[f];
      if (!file.kind.framework || property_text(file, "captured") != "host" || !property_text(file, "rank").empty())
        continue;
      const auto job = job_in_.find({fs::path(list_.absolute[f]).parent_path().native(), file.kind.word});
      if (job != job_in_.end()) set(file, kCompanionName, job->second);
    }
  }

  FileList& list_;
  std::vector<Rank> ranks_;
  std::map<std::pair<std::string, std::string_view>, std::string> job_in_;  // by folder and kind, the first one
};

/// Whether a following ".1" is more likely part of a number: after "lr0", "torch2", "v1".
bool continues_number(std::string_view name) {
  constexpr std::string_view kVersioned[] = {"v",  "ver",  "version", "pytorch", "cuda",       "python", "py",
                                             "lr", "nccl", "cudnn",   "triton",  "vllm",       "rocm",   "jax",
                                             "tf", "eps",  "dropout", "driver",  "temperature"};
  std::size_t digits = name.size(), word = 0;
  while (digits > 0 && is_digit(name[digits - 1])) --digits;
  if (digits == name.size()) return false;
  const std::string_view before = name.substr(0, digits);
  while (word < before.size() && is_letter(before[before.size() - 1 - word])) ++word;
  const std::string named = lower_case(before.substr(before.size() - word));
  return name.substr(digits) == "0" || std::ranges::find(kVersioned, named) != std::end(kVersioned) ||
         load::format_named(named) != nullptr;
}

/// "serve_tp2" and 1 for "serve_tp2.1" or "serve_tp2 (1)"; 0: the name has no such number.
std::pair<std::string_view, std::int64_t> numbered(std::string_view stem) {
  constexpr std::size_t kMaxDigits = 4;
  const bool copy = stem.ends_with(')');
  std::string_view rest = copy ? stem.substr(0, stem.size() - 1) : stem;
  std::size_t digits = 0;
  while (digits < rest.size() && is_digit(rest[rest.size() - 1 - digits])) ++digits;
  const std::string_view mark = copy ? " (" : ".";
  const std::string_view name = rest.substr(0, rest.size() - digits);
  if (digits == 0 || digits > kMaxDigits || !name.ends_with(mark) || name.size() == mark.size()) return {stem, 0};
  const std::string_view run = name.substr(0, name.size() - mark.size());
  if (!copy && continues_number(run)) return {stem, 0};
  return {run, number_or_none(rest.substr(rest.size() - digits))};
}

void find_captures(FileList& list) {
  std::map<std::pair<std::string, std::string_view>, std::map<std::int64_t, std::size_t>> captures;
  for (std::size_t f = 0; f < list.files.size(); ++f) {
    const FoundFile& file = list.files[f];
    if (!is_report(file.kind) || file.kind.counters || file.kind.framework) continue;
    const fs::path path = list.absolute[f];
    const std::string name = path.filename().native();
    const auto [stem, number] = numbered(stem_of(name));
    if (number > 0) captures[{(path.parent_path() / stem).native(), file.kind.word}].emplace(number, f);
  }
  for (const auto& [run, files] : captures) {
    if (files.size() < 2 || files.rbegin()->first != static_cast<std::int64_t>(files.size())) continue;
    for (const auto& [number, file] : files) set(list.files[file], kCaptureName, std::to_string(number));
  }
}

}  // namespace

std::string_view property_text(const FoundFile& file, std::string_view name) {
  const auto at =
      std::ranges::find(file.environment, name, [](const auto& pair) { return std::string_view(pair.first); });
  return at == file.environment.end() ? std::string_view() : std::string_view(at->second);
}

std::string named_path(const FoundFile& file) {
  if (property_text(file, kCaptureName).empty()) return file.path.native();
  const std::string name = file.path.filename().native();
  const std::string_view stem = stem_of(name);
  return (file.path.parent_path() / (std::string(numbered(stem).first) + name.substr(stem.size()))).native();
}

void find_runs(FileList& list) {
  Jobs(list).find();
  find_captures(list);
}

}  // namespace assay
