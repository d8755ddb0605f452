#include "difference/side.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "difference/measure.hpp"
#include "discover/discover.hpp"
#include "files/glob.hpp"
#include "files/read_file.hpp"
#include "files/walk.hpp"
#include "load/load.hpp"
#include "load/report_names.hpp"
#include "workers.hpp"

namespace assay::difference {
namespace {
namespace fs = std::filesystem;

struct Found {
  FoundFile file;
  std::vector<fs::path> counters = {};  ///< files of Nsight Compute of the same run
  std::string recording = {};           ///< its folder; empty: of none
  std::string block = {};               ///< "block_003" of it
  std::string cell = {};                ///< name of the run in its block
};

/// Block and cell of a report that `assay record` wrote.
void find_block(Found& found) {
  for (fs::path at = found.file.path; at.has_relative_path() && at != at.parent_path(); at = at.parent_path()) {
    if (at.parent_path().filename() != "nsys_reports") continue;
    const std::string block = at.filename().string();
    if (!block.starts_with("block_")) return;
    std::error_code failed;
    found.recording = fs::weakly_canonical(at.parent_path(), failed).generic_string();
    found.block = block;
    found.cell = found.file.path.stem().string();
    return;
  }
}

/// The folders that a result was made of, as its run.json has them; empty where there is none.
std::vector<fs::path> folders_of_result(const fs::path& folder) {
  constexpr std::uint64_t kLargest = std::uint64_t{256} << 20U;
  const Result<std::string> text = files::read_file(folder / "run.json", kLargest, files::NamedBy::kAssay);
  if (!text) return {};
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("reports") || !json["reports"].is_array()) return {};
  const fs::path from = json.value("folder", std::string());
  std::vector<fs::path> folders;
  for (const auto& one : json["reports"]) {
    if (one.is_string()) folders.push_back(from / one.get<std::string>());
  }
  return folders;
}

Result<std::vector<Found>> reports_below(const fs::path& folder) {
  Question question;
  question.id = "compare";
  const std::vector<Question> questions{question};
  const fs::path folders[] = {folder};
  Result<Catalog> catalog = discover(questions, folders);
  if (!catalog) return catalog.error();
  std::vector<Found> found;
  for (const CatalogEntry& entry : catalog->questions.front().entries) {
    Found one{catalog->files[entry.file]};
    for (const std::size_t file : entry.counters) one.counters.push_back(catalog->files[file].path);
    find_block(one);
    found.push_back(std::move(one));
  }
  return found;
}

bool is_counters(const FoundFile& file) { return file.kind == FileKind::kNcuCsv; }

/// What Nsight Compute measured of the run of a profile: the same folder and stem.
std::vector<fs::path> counters_beside(const fs::path& profile) {
  std::vector<fs::path> out;
  const std::string stem(stem_of(profile.filename().native()));
  std::error_code failed;
  for (fs::directory_iterator at(profile.parent_path().empty() ? "." : profile.parent_path(), failed), end;
       !failed && at != end; at.increment(failed)) {
    const fs::path& file = at->path();
    if (file.filename() == profile.filename() || stem_of(file.filename().native()) != stem) continue;
    if (is_counters(sniff(file, file.generic_string()))) out.push_back(file);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The files and folders that a glob names; `place` itself where something has that name.
std::vector<fs::path> expanded(const fs::path& place) {
  const std::string text = place.generic_string();
  const std::size_t wild = text.find_first_of("*?");
  std::error_code failed;
  if (wild == std::string::npos || fs::exists(place, failed)) return {place};
  const std::size_t slash = text.rfind('/', wild);
  const std::string glob = slash == std::string::npos ? text : text.substr(slash + 1);
  const fs::path root = slash == std::string::npos ? "." : slash == 0 ? "/" : text.substr(0, slash);
  if (!fs::is_directory(root, failed)) return {place};
  std::vector<fs::path> out;
  const auto add = [&](const std::string& below) {
    // A glob without '/' names nothing further down, as in a shell.
    const bool deeper = glob.find('/') == std::string::npos && below.find('/') != std::string::npos;
    if (!below.empty() && !deeper && glob_matches(glob, below)) out.push_back((root / below).lexically_normal());
  };
  const Tree tree = walk(root, named_like_a_report);
  for (const WalkedFile& file : tree.files) add(file.below);
  for (const std::string& folder : tree.folders) add(folder);
  if (out.empty()) return {place};
  std::sort(out.begin(), out.end());
  return out;
}

Result<std::vector<Found>> find_reports(const SidePlaces& side) {
  std::vector<Found> found;
  std::vector<fs::path> places;
  for (const fs::path& place : side.places) {
    const std::vector<fs::path> all = expanded(place);
    places.insert(places.end(), all.begin(), all.end());
  }
  for (const fs::path& place : places) {
    std::error_code failed;
    if (!fs::exists(place, failed)) {
      return Error{side.name + ": not found: '" + place.string() +
                   "'; name profiles, a folder of them, or the folder of a result or recording"};
    }
    if (!fs::is_directory(place, failed)) {
      Found one{sniff(place, place.generic_string()), counters_beside(place)};
      find_block(one);
      found.push_back(std::move(one));
      continue;
    }
    std::vector<fs::path> folders{place};
    if (fs::exists(place / "results.sqlite", failed)) {
      folders = folders_of_result(place);
      std::erase_if(folders, [&](const fs::path& folder) { return !fs::is_directory(folder, failed); });
      if (folders.empty()) {
        return Error{side.name + ": '" + place.string() +
                     "' is a result whose profiles no longer exist here; compare two results, or name its profiles"};
      }
    }
    for (const fs::path& folder : folders) {
      Result<std::vector<Found>> below = reports_below(folder);
      if (!below) {
        return Error{side.name + ": there is no profile in '" + folder.string() +
                     "'; expected exports of Nsight Systems (.sqlite) or PyTorch traces (.json, .json.gz)"};
      }
      std::move(below->begin(), below->end(), std::back_inserter(found));
    }
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.file.path < b.file.path; });
  const auto same = [](const Found& a, const Found& b) { return a.file.path == b.file.path; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  std::erase_if(found, [](const Found& f) { return is_counters(f.file); });
  return found;
}

Status check_one_cell(const SidePlaces& side, const std::vector<Found>& found) {
  std::set<std::string> cells;
  for (const Found& f : found) {
    if (!f.cell.empty()) cells.insert(f.cell);
  }
  if (cells.size() < 2) return ok();
  return Error{side.name + ": the recording has " + std::to_string(cells.size()) + " cells ('" + *cells.begin() +
               "', '" + *std::next(cells.begin()) + "', ...); name the profiles of one, such as '" +
               found.front().recording + "/*/" + *cells.begin() + ".*'"};
}

Result<RunMeasure> measure_file(const Found& found, const MeasureOptions& options, const NameRules& classes) {
  const FoundFile& file = found.file;
  if (!is_report(file.kind)) {
    return Error{file.problem.empty() ? "it is not a profile; expected an export of Nsight Systems or a PyTorch trace"
                                      : file.problem};
  }
  const Result<Profile> profile =
      load_profile({file.path, file.kind}, file.name, measured_columns(), 1, options.reader, found.counters);
  if (!profile) return profile.error();
  const Result<Profile::View> view = profile->view({}, {});
  if (!view) return view.error();
  Result<RunMeasure> run = measure_run(view->report(), options.step_names, classes);
  if (!run) return run;
  run->recording = found.recording, run->block = found.block;
  std::error_code failed;
  run->file = fs::weakly_canonical(file.path, failed).native();
  for (const auto& [name, value] : file.environment) {
    if (name != "device") run->setup.emplace_back(name, value);
  }
  const std::string tool(file.kind.word);
  run->setup.emplace_back("tool", tool);
  std::sort(run->setup.begin(), run->setup.end());
  return run;
}

}  // namespace

std::int64_t Side::device_time() const {
  std::int64_t sum = 0;
  for (const Item& item : items) {
    if (item.key.kind == Kind::kKernel || item.key.kind == Kind::kGraph) sum += item.sums.device;
  }
  return sum;
}

void join_items(Side& side) {
  std::map<ItemKey, std::size_t> place;
  for (const RunMeasure& run : side.runs) {
    for (const Item& item : run.items) place.emplace(item.key, 0);
  }
  std::size_t next = 0;
  for (auto& [key, at] : place) at = next++;
  side.items.assign(place.size(), {});
  side.wall.assign(place.size(), std::vector<std::int64_t>(side.runs.size(), 0));
  side.counts = side.wall;
  side.time = side.steps = 0;
  for (std::size_t r = 0; r < side.runs.size(); ++r) {
    const RunMeasure& run = side.runs[r];
    std::vector<std::uint32_t> places;
    for (const Item& item : run.items) {
      const std::size_t at = place[item.key];
      places.push_back(static_cast<std::uint32_t>(at));
      Item& joined = side.items[at];
      if (joined.sums.count == 0) joined.key = item.key, joined.traits = item.traits;
      joined.sums.add(item.sums);
      side.wall[at][r] = item.sums.wall, side.counts[at][r] = item.sums.count;
      joined.key = item.key;
      joined.traits.add_counters(item.traits);
    }
    side.time += run.time, side.steps += static_cast<std::int64_t>(run.steps());
    if (r > 0) continue;
    side.launches.clear();
    for (const std::uint32_t launch : run.launches) side.launches.push_back(places[launch]);
  }
}

bool knows_operators(const Side& side) {
  return std::any_of(side.items.begin(), side.items.end(),
                     [](const Item& item) { return item.key.kind != Kind::kIdle && !item.key.op.empty(); });
}

void forget_operators(Side& side) {
  for (RunMeasure& run : side.runs) {
    std::map<ItemKey, std::vector<std::uint32_t>> by_key;
    for (std::uint32_t i = 0; i < run.items.size(); ++i) {
      ItemKey key = run.items[i].key;
      if (key.kind != Kind::kIdle) key.op.clear(), key.inputs.clear();
      by_key[std::move(key)].push_back(i);
    }
    std::vector<Item> joined;
    std::vector<std::uint32_t> place(run.items.size(), 0);
    for (const auto& [key, items] : by_key) {
      Item item{key, {}, run.items[items.front()].traits};
      for (const std::uint32_t i : items) {
        item.sums.add(run.items[i].sums);
        item.traits.add_counters(run.items[i].traits);
        place[i] = static_cast<std::uint32_t>(joined.size());
      }
      joined.push_back(std::move(item));
    }
    run.items = std::move(joined);
    for (std::uint32_t& launch : run.launches) launch = place[launch];
  }
  join_items(side);
}

Result<std::vector<FoundFile>> profiles_at(const SidePlaces& side) {
  Result<std::vector<Found>> found = find_reports(side);
  if (!found) return found.error();
  std::vector<FoundFile> files;
  for (Found& one : *found) files.push_back(std::move(one.file));
  return files;
}

Result<Side> measure_side(const SidePlaces& places, const MeasureOptions& options, const NameRules& classes) {
  const Result<std::vector<Found>> found = find_reports(places);
  if (!found) return found.error();
  if (const Status one = check_one_cell(places, *found); !one) return one.error();
  std::vector<Result<RunMeasure>> runs(found->size(), Result<RunMeasure>(Error{"", Exit::kFailed}));
  for_each_on_workers(found->size(), options.jobs,
                      [&](std::size_t i) { runs[i] = measure_file((*found)[i], options, classes); });
  Side side;
  side.name = places.name;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i]) {
      side.runs.push_back(std::move(*runs[i]));
    } else {
      side.left_out.push_back((*found)[i].file.name + ": " + runs[i].error().sentence);
    }
  }
  if (side.runs.empty()) {
    return Error{places.name + ": none of its profiles could be measured" +
                     (side.left_out.empty() ? "" : "; " + side.left_out.front()),
                 Exit::kFailed};
  }
  join_items(side);
  return side;
}

}  // namespace assay::difference
