#include "record/preflight.hpp"

#include <fmt/core.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "child/child.hpp"
#include "config/section.hpp"
#include "config/toml_text.hpp"
#include "files/digest.hpp"
#include "load/format.hpp"
#include "machine.hpp"
#include "record/failure.hpp"
#include "record/process.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMinRoom = 64U << 20;

std::string how_to_get(const std::string& program, const ExperimentSpec& experiment) {
  const std::vector<const RecorderSpec*> recorders = load::recorders();
  const auto known = std::ranges::find_if(recorders, [&](const RecorderSpec* r) { return r->name.view() == program; });
  if (known != recorders.end() && !(*known)->install.empty()) return std::string((*known)->install.view());
  if (program == "numactl") return "install it (package numactl), or leave [experiment] bind out";
  const ProfilerSpec& profiler = experiment.profiler;
  if (!profiler.install.empty() && profiler.command.front() == program) return profiler.install;
  return "install it, or correct its path in [experiment]";
}

/// What is missing and how to get it; empty if the program is found.
std::optional<Error> missing_program(const ExperimentSpec& experiment, const std::string& program) {
  if (!program_path(program, experiment.folder).empty()) return std::nullopt;
  return Error{fmt::format("{}: the program '{}' is not found", experiment.pos.str(), program)}
      .at(experiment.pos.str())
      .advise(how_to_get(program, experiment));
}

/// Nodes of this machine, "0, 1"; empty if the system does not provide them.
std::string numa_nodes() {
  std::set<int> nodes;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator("/sys/devices/system/node", failed)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("node") && name.find_first_not_of("0123456789", 4) == std::string::npos)
      nodes.insert(std::atoi(name.c_str() + 4));
  }
  std::string text;
  for (const int node : nodes) text += (text.empty() ? "" : ", ") + std::to_string(node);
  return text;
}

/// Checks that the nodes named for numactl exist.
Status check_nodes(const ExperimentSpec& experiment, const Cell& cell) {
  for (const std::string& word : cell.command.bare) {
    const bool binds = word.starts_with("--cpunodebind=") || word.starts_with("--membind=");
    if (!binds) continue;
    const std::string node = word.substr(word.find('=') + 1);
    const bool plain = !node.empty() && node.find_first_not_of("0123456789") == std::string::npos;
    std::error_code failed;
    if (!plain || numa_nodes().empty() || fs::exists("/sys/devices/system/node/node" + node, failed)) continue;
    return Error{fmt::format("{}: '{}' needs NUMA node {}, but this machine has the nodes {}", experiment.pos.str(),
                             cell.run.name, node, numa_nodes())}
        .at(experiment.pos.str())
        .advise("choose runs with --only, or other nodes with --set");
  }
  return ok();
}

std::string digest_of_file(const fs::path& file) { return files::hex_of_file(file).value_or("unreadable"); }

/// Digest of a question without its analyzers, which read runs that are made: correcting their options changes no run.
std::string digest_of_question(const fs::path& file) {
  try {
    toml::table table = parse_toml(file);
    table.erase("analyzers");
    std::ostringstream text;
    text << table;
    return files::hex(files::digest_of(std::move(text).str()));
  } catch (const ConfigMistake&) {
    return digest_of_file(file);
  }
}

/// Complete output of a program; empty if it fails or takes too long.
std::string output_of(const std::vector<std::string>& words, const fs::path& folder) {
  constexpr std::chrono::seconds kPatience{20};
  const fs::path program = words.empty() ? fs::path() : program_path(words.front(), folder);
  if (program.empty()) return {};
  std::string said;
  const process::ProcessResult ended = process::run_to_end({program, {words.begin() + 1, words.end()}, folder},
                                                           kPatience, nullptr, {nullptr, process::into(said)});
  return ended.status.success() ? said : std::string();
}

std::string line_of(const std::string& text) { return text.substr(0, text.find_first_of("\r\n")); }

/// Commit of the program's folder, with a digest of uncommitted changes; empty: not a repository.
std::string commit_of(const fs::path& folder) {
  const std::string commit = line_of(output_of({"git", "rev-parse", "HEAD"}, folder));
  if (commit.empty()) return {};
  const std::string changed = output_of({"git", "diff", "HEAD", "--", "."}, folder);
  return commit + (changed.empty() ? "" : " with changes " + files::hex(files::digest_of(changed)));
}

/// Files of the program's folder that commands name: a script is part of what is measured.
std::map<std::string, std::string> program_files(const Design& design) {
  std::map<std::string, std::string> digests;
  for (const Cell& cell : design.cells()) {
    for (const std::string& word : cell.command.bare) {
      std::error_code failed;
      const fs::path file = cell.command.folder / word;
      if (!digests.contains(word) && !word.starts_with('-') && !fs::path(word).is_absolute() &&
          fs::is_regular_file(file, failed))
        digests[word] = digest_of_file(file);
    }
  }
  return digests;
}

/// Whether a variable changes what a program does, judging by its name.
bool matters(const std::string& name) {
  constexpr std::string_view kNames[] = {"PATH",       "LD_LIBRARY_PATH", "LD_PRELOAD",
                                         "PYTHONPATH", "VIRTUAL_ENV",     "CONDA_PREFIX"};
  constexpr std::string_view kBegins[] = {"CUDA",  "NVIDIA_", "OMP_", "MKL_",  "TORCH", "PYTORCH", "TRITON", "NCCL_",
                                          "RCCL_", "KMP_",    "HIP_", "ROCR_", "ROCM",  "HSA_",    "MIOPEN_"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view n) { return name == n; }) ||
         std::any_of(std::begin(kBegins), std::end(kBegins), [&](std::string_view n) { return name.starts_with(n); });
}

std::string environment_text() {
  std::set<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string text = *at;
    if (matters(text.substr(0, text.find('=')))) variables.insert(text);
  }
  std::string all;
  for (const std::string& variable : variables) all += (all.empty() ? "" : "; ") + variable;
  return all;
}

}  // namespace

Status check_programs(const Design& design) {
  std::vector<Error> missing;  // reported together, without duplicates
  const auto miss = [&](Error what) {
    if (std::ranges::find(missing, what.sentence, &Error::sentence) == missing.end())
      missing.push_back(std::move(what));
  };
  for (const GpuCells& gpu : design.gpus) {
    for (const Cell& cell : gpu.cells) {
      const ExperimentSpec& experiment = design.experiment(cell);
      std::vector<std::string> programs = {experiment.command.front(), cell.command.words.front()};
      if (!experiment.launcher.empty())
        programs = {experiment.launcher.front()};  // the others are inside the
                                                   // launcher's environment
      if (experiment.launcher.empty() && (!experiment.bind_cpus.empty() || !experiment.bind_memory.empty()))
        programs.emplace_back("numactl");
      if (experiment.launcher.empty() && !experiment.profiler.command.empty())
        programs.push_back(experiment.profiler.command.front());
      for (const auto* commands : {&cell.command.prepare, &cell.command.conclude}) {
        for (const std::vector<std::string>& words : *commands) programs.push_back(words.front());
      }
      for (const std::string& program : programs) {
        if (program.find('{') != std::string::npos) continue;
        if (auto what = missing_program(experiment, program)) miss(std::move(*what));
      }
      std::error_code failed;
      if (!fs::is_directory(experiment.folder, failed))
        miss(Error{
            fmt::format("{}: [experiment] folder '{}' is not found", experiment.pos.str(), experiment.folder.string())}
                 .at(experiment.pos.str())
                 .advise("correct the path"));
      if (const Status nodes = check_nodes(experiment, cell); !nodes) miss(nodes.error());
    }
  }
  if (missing.empty()) return ok();
  Error all = missing.front();
  for (std::size_t i = 1; i < missing.size(); ++i) all.sentence += "\n" + missing[i].sentence;
  if (missing.size() > 1) all.parts = std::move(missing);
  return all;
}

Status check_room(const fs::path& folder) {
  struct statvfs room{};
  if (statvfs(folder.c_str(), &room) != 0) return ok();
  const std::uint64_t free = std::uint64_t{room.f_bavail} * room.f_frsize;
  if (free >= kMinRoom) return ok();
  return Error{fmt::format("'{}' has {} MiB left, too little for another run", folder.string(), free >> 20),
               Exit::kFailed}
      .at(folder.string())
      .advise("free some space and record again with the same arguments");
}

Status run_checks(const Design& design, const fs::path& folder, const std::atomic<bool>& stop) {
  std::set<std::string> done;
  for (const GpuCells& gpu : design.gpus) {
    for (const Cell& cell : gpu.cells) {
      const std::string text = quoted(cell.command.check);
      if (cell.command.check.empty() || !done.insert(text).second) continue;
      ProcessSpec spec{cell.command.check,        cell.command.env,        cell.command.folder,
                       folder / "check.stdout",   folder / "check.stderr", 120,
                       folder.string() + "/check"};
      const ProcessEnd end = run_process(spec, stop);
      const Failure failure = failure_of(end, tail_of(spec.out) + tail_of(spec.err), spec.timeout_seconds);
      if (failure.outcome == Outcome::kOk) continue;
      return Error{fmt::format("'{}' cannot be run: its check ended with {}", cell.run.name, failure.error),
                   failure.outcome == Outcome::kInterrupted ? Exit::kInterrupted : Exit::kUsage}
          .at(cell.run.name)
          .advise("correct it, or choose other runs with --only");
    }
  }
  return ok();
}

std::string first_line_of(const std::vector<std::string>& words, const fs::path& folder) {
  return line_of(output_of(words, folder));
}

Identity identity_of(const Design& design, const Conditions& conditions) {
  Identity identity;
  std::set<fs::path> folders;
  std::set<std::string> profilers;
  for (const Question* question : design.questions) {
    identity.emplace_back("question " + question->id, digest_of_question(question->file));
  }
  for (const ExperimentSpec& experiment : design.experiments) {
    folders.insert(experiment.folder);
    profilers.insert(first_line_of(experiment.profiler.version, experiment.folder));
  }
  for (const fs::path& folder : folders) {
    const std::string commit = commit_of(folder);
    if (!commit.empty()) identity.emplace_back("program's commit", commit);
  }
  for (const auto& [file, digest] : program_files(design)) identity.emplace_back("program file " + file, digest);
  for (const std::string& version : profilers) {
    if (!version.empty()) identity.emplace_back("profiler", version);
  }
  for (const GpuState& gpu : conditions.gpus) {
    if (&gpu == &conditions.gpus.front()) identity.emplace_back("driver", gpu.driver);
    identity.emplace_back("GPU " + gpu.index, gpu.name + " " + gpu.uuid);
  }
  identity.emplace_back("environment", environment_text());
  if (design.at_once) identity.emplace_back("number of GPUs at once", std::to_string(design.gpus.size()));
  if (std::string host = host_name(); !host.empty()) identity.emplace_back("host", std::move(host));
  return identity;
}

std::string identity_difference(const Identity& before, const Identity& now) {
  const auto value = [](const Identity& identity, const std::string& what) {
    const auto at = std::ranges::find_if(identity, [&](const auto& i) { return i.first == what; });
    return at == identity.end() ? std::string("missing") : "'" + at->second + "'";
  };
  for (const Identity* list : {&before, &now}) {
    for (const auto& [what, text] : *list) {
      const std::string was = value(before, what), is = value(now, what);
      if (was != is) return fmt::format("the {} was {} and is {}", what, was, is);
    }
  }
  return {};
}

}  // namespace assay::record
