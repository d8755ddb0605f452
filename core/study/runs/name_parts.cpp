#include "runs/name_parts.hpp"

#include <algorithm>
#include <set>

#include "assay/detail/text.hpp"
#include "assay/words.hpp"
#include "load/format.hpp"

namespace assay {
namespace {

constexpr std::size_t kDigitsOfTime = 10;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::ranges::find(words, word) != std::end(words);
}

bool is_parallel(std::string_view word) {
  constexpr std::string_view kWords[] = {"tp", "dp", "pp", "ep", "cp", "sp", "dcp", "pcp"};
  return is_one_of(word, kWords);
}

/// PyTorch's own handler names a trace HOST_PID.TIME.
bool is_host_pid_time(std::string_view path) {
  const std::string_view stem = path.substr(path.rfind('/') + 1);
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos || stem.size() - dot - 1 < kDigitsOfTime) return false;
  const std::string_view before = stem.substr(0, dot);
  const std::size_t pid = before.find_last_not_of("0123456789");
  return std::ranges::all_of(stem.substr(dot + 1), is_digit) && pid != std::string_view::npos && pid > 0 &&
         pid + 1 < before.size() && before[pid] == '_';
}

}  // namespace

bool counts_runs(std::string_view word) {
  static const std::set<std::string_view> kWords = {
      "run",       "rep",   "repeat",  "replicate", "r",      "v",    "try",   "attempt", "trial", "prof",
      "profile",   "trace", "report",  "base",      "sample", "seed", "block", "round",   "take",  "iter",
      "iteration", "step",  "capture", "twin",      "night",  "day",  "part",  "cycle",   "pass",  "repetition"};
  return kWords.contains(word) || load::format_named(word) != nullptr;
}

bool names_a_role(std::string_view word) {
  constexpr std::string_view kRoles[] = {"prefill", "decode", "extend",    "encode",     "policy", "rollout",
                                         "actor",   "critic", "generator", "generation", "reward", "learner",
                                         "sampler", "router", "prefiller", "decoder"};
  return is_one_of(lower_case(word), kRoles);
}

std::string NameParts::but_rank() const {
  std::string out = text;
  for (std::size_t n = 0; n < numbers.size(); ++n)
    out += "\1" + (std::ranges::find(own, n) == own.end() ? numbers[n] : std::string());
  return out;
}

NameParts parts_of(std::string_view stem) {
  NameParts parts;
  std::string word;     // leading letters, in lower case
  std::size_t gap = 0;  // characters since then
  for (std::size_t at = 0; at < stem.size();) {
    std::size_t end = at;
    while (end < stem.size() && is_letter(stem[end])) ++end;
    if (end > at) {
      word = lower_case(stem.substr(at, end - at));
      gap = 0;
      const bool role = names_a_role(word);
      if (role) parts.role = word;
      parts.text += role ? "@" : word;
      at = end;
      continue;
    }
    while (end < stem.size() && is_digit(stem[end])) ++end;
    if (end == at) {
      parts.text += stem[at];
      ++at;
      ++gap;
      continue;
    }
    const std::string_view digits = stem.substr(at, end - at);
    const bool behind_word = !word.empty() && gap <= 1, apart = at == 0 || !is_letter(stem[at - 1]);
    const bool bare_r = word == "r" && gap == 0 && at >= 2 && !is_letter(stem[at - 2]) && !is_digit(stem[at - 2]);
    const bool rank = behind_word && (word == "rank" || (bare_r && (end == stem.size() || !is_letter(stem[end]))));
    const bool dimension = behind_word && is_parallel(word), time = apart && digits.size() >= kDigitsOfTime;
    if (rank) {
      parts.rank = number_in<std::int64_t>(digits).value_or(-1);
      parts.one_letter = bare_r;
    }
    if (dimension) parts.dimension.push_back(number_in<std::int64_t>(digits).value_or(-1));
    if (time) parts.time = digits;
    if (rank || dimension || time) parts.own.push_back(parts.numbers.size());
    parts.numbers.emplace_back(digits);
    parts.words.push_back(behind_word ? word : std::string());
    parts.text += '#';
    word.clear();
    at = end;
  }
  if (is_host_pid_time(stem)) {
    parts.text = parts.text.substr(0, stem.rfind('/') == std::string_view::npos ? 0 : parts.text.rfind('/') + 1);
    parts.text += "HOST_PID.TIME";
    parts.numbers.clear();
    parts.words.clear();
    parts.own.clear();
  }
  return parts;
}

}  // namespace assay
