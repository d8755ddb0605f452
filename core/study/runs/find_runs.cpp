#include "runs/find_runs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>

#include "assay/detail/text.hpp"
#include "assay/words.hpp"
#include "catalog/graph_captures.hpp"
#include "catalog/recorded_run.hpp"
#include "load/format.hpp"
#include "load/report_names.hpp"
#include "runs/run_facts.hpp"
#include "workers.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::int64_t number_or_none(std::string_view text) { return number_in<std::int64_t>(text).value_or(-1); }

void set(FoundFile& file, std::string_view name, std::string value) {
  std::erase_if(file.environment, [&](const auto& pair) { return pair.first == name; });
  file.environment.emplace_back(name, std::move(value));
  std::ranges::sort(file.environment);
}

/// Profiles that may be, or be a part of, a run.
std::vector<std::size_t> profiles_in(const FileList& list) {
  std::vector<std::size_t> out;
  for (std::size_t f = 0; f < list.files.size(); ++f) {
    const FoundFile& file = list.files[f];
    if (!is_report(file.kind) || file.kind.counters) continue;
    if (!file.kind.framework || !named_like_graph_capture(list.absolute[f])) out.push_back(f);
  }
  return out;
}

/// Marks windows of recorded runs: RUN.2.sqlite where the journal has RUN and not RUN.2.
void find_windows(FileList& list, const std::vector<std::size_t>& of) {
  std::map<fs::path, std::set<std::string>> runs;  // of each recording
  for (const std::size_t f : of) {
    const fs::path path = list.absolute[f];
    const std::string name = path.filename().native();
    const std::string_view stem = stem_of(name);
    const std::size_t dot = std::min(stem.rfind('.'), stem.size());
    const std::int64_t number = number_or_none(stem.substr(std::min(dot + 1, stem.size())));
    const fs::path reports = number > 0 ? recorded_reports(path) : fs::path();
    if (reports.empty()) continue;
    const auto [at, fresh] = runs.try_emplace(reports);
    if (fresh) at->second = recorded_runs(reports.parent_path());
    const std::string below = path.parent_path().lexically_relative(reports).generic_string() + "/";
    if (at->second.contains(below + std::string(stem)) || !at->second.contains(below + name.substr(0, dot))) continue;
    set(list.files[f], kWindowOf, name.substr(0, dot));
    set(list.files[f], kCaptureName, std::to_string(number));
  }
}

RunFile run_file(const FileList& list, std::size_t f, const RunFacts& facts) {
  const FoundFile& file = list.files[f];
  const fs::path path = list.absolute[f];
  RunFile out{file.kind.word,
              path.parent_path().native(),
              number_or_none(property_text(file, "rank")),
              number_or_none(property_text(file, "world_size")),
              {},
              facts};
  if (out.facts.host.empty()) out.facts.host = property_text(file, "host");
  if (out.facts.job.empty()) out.facts.job = property_text(file, kJobName);
  const fs::path named = list.below[f].empty() ? path.filename() : fs::path(list.below[f]);
  out.name = parts_of((named.parent_path() / stem_of(named.filename().native())).generic_string());
  out.host_only = property_text(file, "captured") == "host" && out.rank < 0;
  if (const std::string_view run = property_text(file, kWindowOf); !run.empty()) {
    out.recorded = (path.parent_path() / run).native();
    out.window = number_or_none(property_text(file, kCaptureName));
  }
  return out;
}

void mark(FileList& list, const std::vector<std::size_t>& of, const std::vector<RunFile>& files,
          const RunOfFiles& run) {
  std::vector<std::size_t> own;
  for (const RunProcess& process : run.processes) {
    for (const std::size_t f : process.files) {
      if (!files[f].host_only) own.push_back(f);
    }
  }
  if (own.empty()) return;
  std::string first = list.files[of[own.front()]].name;
  for (const std::size_t f : own) first = std::min(first, list.files[of[f]].name);
  for (const RunProcess& process : run.processes) {
    for (std::size_t c = 0; c < process.files.size(); ++c) {
      FoundFile& file = list.files[of[process.files[c]]];
      const bool companion = files[process.files[c]].host_only;
      if (companion) {
        set(file, kCompanionName, first);
        continue;
      }
      if (own.size() > 1) set(file, kJobName, first);
      if (!run.evidence.empty()) set(file, kEvidenceName, run.evidence);
      if (process.rank >= 0 && property_text(file, "rank").empty()) set(file, "rank", std::to_string(process.rank));
      if (process.files.size() > 1 && files[process.files[c]].recorded.empty())
        set(file, kCaptureName, std::to_string(c + 1));
    }
  }
}

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

void number_captures(FileList& list) {
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

std::string named_path(const FoundFile& file) {
  if (property_text(file, kCaptureName).empty()) return file.path.native();
  const std::string name = file.path.filename().native();
  const std::string_view stem = stem_of(name);
  if (const std::string_view run = property_text(file, kWindowOf); !run.empty())
    return (file.path.parent_path() / (std::string(run) + name.substr(stem.size()))).native();
  return (file.path.parent_path() / (std::string(numbered(stem).first) + name.substr(stem.size()))).native();
}

void add_run_notes(const std::vector<FoundFile>& files, QuestionCatalog& catalog) {
  std::size_t captures = 0, apart = 0;
  std::set<std::string_view> processes;
  for (const CatalogEntry& entry : catalog.entries) {
    const FoundFile& file = files[entry.file];
    const std::string_view job = property_text(file, kJobName), why = property_text(file, kEvidenceName);
    if (!job.empty() && !property_text(file, kCaptureName).empty()) {
      ++captures;
      processes.insert(job);
    }
    if (job.empty() && !why.empty()) ++apart;
  }
  if (captures > 0)
    catalog.notes.push_back(fmt::format("{} are captures of processes that belong to {}: samples of a run, not runs.",
                                        counted(captures, "profile"), counted(processes.size(), "run")));
  if (apart > 0)
    catalog.notes.push_back(
        fmt::format("{} ran at one time as ranks of several jobs that nothing tells apart: each stands alone.",
                    counted(apart, "profile")));
}

std::vector<RunFacts> find_runs(FileList& list, const FileMemory* memory, const std::atomic<bool>* stop) {
  const std::vector<std::size_t> of = profiles_in(list);
  std::vector<RunFacts> facts(list.files.size());
  for_each_on_workers(of.size() > 1 ? of.size() : 0, 0, [&](std::size_t i) {
    const FoundFile& file = list.files[of[i]];
    if (stop != nullptr && *stop) return;
    try {
      facts[of[i]] = memory != nullptr ? memory->facts(file, &run_facts_of) : run_facts_of(file);
    } catch (const std::exception&) {  // one profile must not end what reads the others; its own reading says why
    }
  });
  for (const std::size_t f : of) {  // what stands behind the events of a file was not seen when it was recognised
    FoundFile& file = list.files[f];
    if (facts[f].rank < 0 || !property_text(file, "rank").empty()) continue;
    set(file, "rank", std::to_string(facts[f].rank));
    if (facts[f].world > 0) set(file, "world_size", std::to_string(facts[f].world));
  }
  find_windows(list, of);
  std::vector<RunFile> files;
  for (const std::size_t f : of) files.push_back(run_file(list, f, facts[f]));
  for (const RunOfFiles& run : partition_runs(files)) mark(list, of, files, run);
  number_captures(list);
  return facts;
}

}  // namespace assay
