#include "record/join.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>
#include <sstream>

#include "files/staged_file.hpp"
#include "files/staged_folder.hpp"
#include "record/output_files.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

/// All DATE/TIME below the folders of ROOT, newest first.
std::vector<fs::path> recordings_below(const fs::path& root) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (const auto& name : fs::directory_iterator(root, failed)) {
    for (const auto& date : fs::directory_iterator(name.path(), failed)) {
      for (const auto& time : fs::directory_iterator(date.path(), failed)) found.push_back(time.path());
    }
  }
  std::ranges::sort(found, std::greater<>());
  return found;
}

struct Block {
  fs::path folder;
  std::vector<Event> events;
  event::RecordingBegan begin;
};

/// "CUDA_HOME=/x; CUDA_VISIBLE_DEVICES=0; PATH=..." without variables that name the GPU, which differs between blocks.
std::string without_gpu(const std::string& environment) {
  constexpr std::string_view kOfGpu[] = {"CUDA_VISIBLE_DEVICES=", "NVIDIA_VISIBLE_DEVICES="};
  std::string kept;
  for (std::size_t at = 0; at < environment.size();) {
    const std::size_t end = std::min(environment.find("; ", at), environment.size());
    const std::string variable = environment.substr(at, end - at);
    if (std::ranges::none_of(kOfGpu, [&](std::string_view name) { return variable.starts_with(name); }))
      kept += (kept.empty() ? "" : "; ") + variable;
    at = end + 2;
  }
  return kept;
}

/// What must be equal in all blocks: not the host or the particular GPU, but the kind of GPU.
Identity comparable(const event::RecordingBegan& begin) {
  Identity identity;
  std::set<std::string> kinds;
  for (const auto& [what, text] : begin.identity) {
    if (what == "host") continue;
    if (what.starts_with("GPU "))
      kinds.insert(text.substr(0, text.rfind(' ')));
    else
      identity.emplace_back(what, what == "environment" ? without_gpu(text) : text);
  }
  std::string all;
  for (const std::string& kind : kinds) all += (all.empty() ? "" : ", ") + kind;
  if (!all.empty()) identity.emplace_back("kind of GPU", all);
  return identity;
}

Result<std::vector<Block>> read_blocks(const Design& design, const fs::path& blocks) {
  std::vector<Block> found;
  std::string missing;
  for (std::size_t number = 1; number <= design.replicates; ++number) {
    const Result<fs::path> folder = recorded_block(blocks, number);
    if (!folder) return folder.error();
    if (folder->empty()) {
      missing += (missing.empty() ? "block " : ", block ") + std::to_string(number);
      continue;
    }
    Result<Events> events = read_whole_journal(*folder);
    if (!events) return events.error();
    found.push_back({*folder, events->list, *events->begin()});
  }
  if (missing.empty()) return found;
  return Error{fmt::format("'{}' lacks {} of {}", blocks.string(), missing, design.replicates)}
      .at(blocks.string())
      .advise("'assay record ... --block K' makes it");
}

/// In what two blocks differ; empty: nothing.
std::string differing(const std::vector<Block>& blocks) {
  const event::RecordingBegan& first = blocks.front().begin;
  for (const Block& block : blocks) {
    std::string what = identity_difference(comparable(first), comparable(block.begin));
    if (what.empty() && first.commands != block.begin.commands) what = "the commands differ";
    if (!what.empty())
      return fmt::format("'{}' and '{}': {}", blocks.front().folder.string(), block.folder.string(), what);
  }
  return {};
}

Status link_or_copy(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  if (!fs::exists(from, failed)) return ok();
  fs::create_directories(to.parent_path(), failed);
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::create_hard_links, failed);
  if (failed) {
    fs::remove_all(to, failed);
    fs::copy(from, to, fs::copy_options::recursive, failed);
  }
  return failed ? Status(files::not_written(to, failed.message())) : ok();
}

event::RecordingBegan begin_event(const Design& design, const std::vector<Block>& blocks, const std::string& version) {
  const event::RecordingBegan& first = blocks.front().begin;
  std::vector<std::string> sources;
  std::string began = first.time;  // block 1 may have been repeated after the others
  for (const Block& block : blocks) began = std::min(began, block.begin.time);
  for (const Block& block : blocks) sources.push_back(fs::absolute(block.folder).lexically_normal().string());
  return {began, version, 1, design_event(design, RecordOptions{}), first.identity, first.commands, std::move(sources)};
}

Status write_journal(const fs::path& folder, const event::RecordingBegan& begin, const std::vector<Block>& blocks) {
  Result<Journal> journal = Journal::open(folder, {});
  if (!journal) return journal.error();
  if (const Status written = journal->write(begin); !written) return written;
  for (const Block& block : blocks) {
    for (const Event& event : block.events) {
      if (std::holds_alternative<event::RecordingBegan>(event)) continue;
      if (const Status written = journal->write(event); !written) return written;
    }
  }
  return ok();
}

Status fill(const fs::path& folder, const Design& design, const event::RecordingBegan& begin,
            const std::vector<Block>& blocks) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const char* kind : {kRecordedReports, "logs", "failed"}) {
      const fs::path below = fs::path(kind) / block_name(b + 1);
      if (const Status linked = link_or_copy(blocks[b].folder / below, folder / below); !linked) return linked;
    }
  }
  if (const Status written = write_journal(folder, begin, blocks); !written) return written;
  const Result<Events> events = read_journal(folder);
  if (!events) return events.error();
  return write_outputs(folder, *events, design.name);
}

/// Whether a recording was joined from the same blocks.
bool is_joined_of(const fs::path& folder, const event::RecordingBegan& begin) {
  const Result<Events> events = folder.empty() ? Result<Events>(Events{}) : read_journal(folder);
  return events && events->begin() != nullptr && events->begin()->joined == begin.joined;
}

}  // namespace

Result<fs::path> recorded_block(const fs::path& blocks, std::size_t block) {
  for (const fs::path& folder : recordings_below(blocks / std::to_string(block))) {
    const Result<Events> events = read_whole_journal(folder);
    if (!events) return events.error();
    const std::vector<const event::BlockEnded*> ends = all_of<event::BlockEnded>(events->list);
    if (std::ranges::any_of(ends, [&](const event::BlockEnded* end) { return end->block == block; })) return folder;
  }
  return fs::path();
}

std::vector<std::string> visible_gpus(const Conditions& conditions) {
  const char* said = std::getenv("CUDA_VISIBLE_DEVICES");
  std::vector<std::string> gpus;
  if (said == nullptr) {
    for (const GpuState& gpu : conditions.gpus) gpus.push_back(gpu.uuid);
    return gpus;
  }
  std::istringstream words(said);
  for (std::string word; std::getline(words, word, ',');) {
    const auto at = std::ranges::find(conditions.gpus, word, &GpuState::index);
    gpus.push_back(at == conditions.gpus.end() ? word : at->uuid);
  }
  return gpus;
}

Result<fs::path> join_blocks(const Design& design, const fs::path& blocks, const fs::path& root,
                             const std::string& version) {
  const Result<std::vector<Block>> found = read_blocks(design, blocks);
  if (!found) return found.error();
  if (const std::string differs = differing(*found); !differs.empty())
    return Error{"blocks were recorded differently, so they cannot be combined: " + differs, Exit::kFailed};
  const event::RecordingBegan begin = begin_event(design, *found, version);
  if (const fs::path before = newest_recording(root, design.name); is_joined_of(before, begin)) return before;
  const Result<Folder> place = choose_folder(root, design.name, true);
  if (!place) return place.error();
  std::error_code why;
  auto staged = files::StagedFolder::make(place->path.parent_path(), why);
  Status filled = staged ? fill(staged->path(), design, begin, *found) : files::not_written(place->path, why.message());
  if (filled) {
    // Replaces the empty folder that was chosen.
    fs::rename(staged->path(), place->path, why);
    if (!why) staged->moved({});
    if (why) filled = files::not_written(place->path, why.message());
  }
  if (filled) return place->path;
  fs::remove(place->path, why);
  return filled.error();
}

}  // namespace assay::record
