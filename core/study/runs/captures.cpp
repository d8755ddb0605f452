#include "runs/captures.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "assay/detail/text.hpp"
#include "runs/run_facts.hpp"

namespace assay {
namespace {

bool unequal(const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; }

/// Whether `next`, recorded later, goes on where `before` ended.
bool continues(const RunFile& before, const RunFile& next) {
  const RunFacts &a = before.facts, &b = next.facts;
  if (before.rank >= 0 && next.rank >= 0 && before.rank != next.rank) return false;
  if (unequal(a.host, b.host) || unequal(a.job, b.job)) return false;
  const bool ids = a.correlations.last > 0 && b.correlations.first > a.correlations.last;
  const bool steps = !a.step.empty() && a.step == b.step && b.steps.first > a.steps.last;
  return ids || steps;
}

/// Whether the n-th numbers of the names of captures, by time, only count them: times, ids, 0, 1, 2, ... or numbers
/// behind a word that counts.
bool only_counts(const std::vector<RunFile>& files, const std::vector<std::size_t>& captures, std::size_t n) {
  std::vector<std::int64_t> values;
  bool named = true;
  for (const std::size_t f : captures) {
    const NameParts& name = files[f].name;
    if (n >= name.numbers.size()) return false;
    named = named && (name.numbers[n].size() >= kDigitsOfId || counts_runs(name.words[n]));
    values.push_back(number_in<std::int64_t>(name.numbers[n]).value_or(-1));
  }
  for (std::size_t i = 0; i < values.size() && !named; ++i) {
    if (values[i] != static_cast<std::int64_t>(i) + values.front() || values.front() > 1) return false;
  }
  return true;
}

/// Whether two captures of one process are of one configuration. Roles run other programs as parts of one run.
bool same_configuration(const RunFile& a, const RunFile& b, const std::vector<bool>& counts) {
  if (a.name.role != b.name.role || a.name.text != b.name.text) return false;
  for (std::size_t n = 0; n < a.name.numbers.size(); ++n) {
    if (a.name.numbers[n] != b.name.numbers[n] && !(n < counts.size() && counts[n])) return false;
  }
  return a.facts.program.empty() || b.facts.program.empty() ||
         common_share(a.facts.program, b.facts.program) >= kSameProgram;
}

/// Adds the configurations that one process recorded, each as a process.
void add_configurations(const std::vector<RunFile>& files, const std::vector<std::size_t>& chain,
                        std::vector<RunProcess>& out) {
  const std::size_t first = out.size();
  for (const std::size_t f : chain) {
    std::vector<std::size_t> alike;  // captures whose names have the same words
    std::ranges::copy_if(chain, std::back_inserter(alike),
                         [&](std::size_t other) { return files[other].name.text == files[f].name.text; });
    std::vector<bool> counts;
    for (std::size_t n = 0; n < files[f].name.numbers.size(); ++n)
      counts.push_back(only_counts(files, chain, n) || only_counts(files, alike, n));
    const auto own = out.begin() + static_cast<std::ptrdiff_t>(first);
    const auto known = std::find_if(own, out.end(), [&](const RunProcess& one) {
      return same_configuration(files[one.files.front()], files[f], counts);
    });
    if (known == out.end())
      out.push_back({{f}, files[f].rank});
    else
      known->files.push_back(f);
  }
}

}  // namespace

std::vector<RunProcess> processes_of(const std::vector<RunFile>& files) {
  std::map<std::pair<std::string_view, std::vector<std::int64_t>>, std::vector<std::size_t>> by_pid;
  std::map<std::pair<std::string_view, std::string>, std::vector<std::size_t>> recorded;
  std::vector<RunProcess> out;
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (!files[f].recorded.empty()) {
      recorded[{files[f].tool, files[f].recorded}].push_back(f);
      continue;
    }
    std::vector<std::int64_t> pids = pids_of(files[f].facts);
    if (pids.empty())
      out.push_back({{f}, files[f].rank});
    else
      by_pid[{files[f].tool, std::move(pids)}].push_back(f);
  }
  for (auto& [run, windows] : recorded) {
    std::ranges::sort(windows, {}, [&](std::size_t f) { return files[f].window; });
    out.push_back({windows, files[windows.front()].rank});
  }
  for (auto& [pid, captures] : by_pid) {
    std::ranges::stable_sort(captures, {}, [&](std::size_t f) {
      const RunFacts& facts = files[f].facts;
      return std::tuple(facts.time.first, facts.correlations.first, facts.steps.first);
    });
    std::vector<std::vector<std::size_t>> chains;  // of one process each
    for (const std::size_t f : captures) {
      const auto chain = std::ranges::find_if(chains, [&](const auto& one) {
        const RunFacts& last = files[one.back()].facts;
        const bool at_once = last.time.last != kNoTime && files[f].facts.time.first != kNoTime &&
                             files[f].facts.time.first < last.time.last;
        return !at_once && continues(files[one.back()], files[f]);
      });
      if (chain == chains.end())
        chains.push_back({f});
      else
        chain->push_back(f);
    }
    for (const auto& chain : chains) add_configurations(files, chain, out);
  }
  std::ranges::sort(out, {}, [](const RunProcess& process) { return process.files.front(); });
  return out;
}

}  // namespace assay
