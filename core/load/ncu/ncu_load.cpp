#include "load/ncu/ncu_load.hpp"

#include <array>
#include <fstream>
#include <optional>
#include <vector>

#include "load/ncu/launch.hpp"
#include "load/ncu/read_ncu.hpp"

namespace assay::load {
namespace {

/// Reads what can be read; the rest becomes issues. The first error when nothing can.
std::optional<Error> read_all(NcuReader& reader, Profile::Store& store, std::span<const std::filesystem::path> files) {
  std::optional<Error> first;
  bool any = false;
  for (const std::filesystem::path& file : files) {
    const Status read = reader.read(file);
    any = any || read.ok();
    if (read) continue;
    if (!first) first = read.error();
    store.issues.push_back({"ncu_unreadable", Severity::kError, 0, read.error().sentence + "."});
  }
  return any ? std::nullopt : first;
}

}  // namespace

bool looks_like_ncu(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (extension != ".csv") return false;
  std::array<char, 16> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(in.gcount()));
  return !head.starts_with("SQLite format 3");
}

Result<std::unique_ptr<Profile::Store>> load_ncu(const std::filesystem::path& file, std::string name,
                                                 std::span<const std::filesystem::path> pages) {
  auto store = std::make_unique<Profile::Store>();
  store->name = std::move(name);
  std::vector<std::filesystem::path> files{file};
  files.insert(files.end(), pages.begin(), pages.end());
  NcuReader reader(*store);
  const std::optional<Error> none = read_all(reader, *store, files);
  if (none) return *none;
  reader.finish();
  return store;
}

void join_ncu(Profile::Store& store, std::span<const std::filesystem::path> files, const Wanted& wanted) {
  NcuReader reader(store);
  if (read_all(reader, store, files)) {
    store.profiled.reset(), store.counters.reset();
    return;
  }
  const LaunchGroups groups = reader.finish();
  if (wanted.column(col::kernel_profiled)) match_kernels(store, groups);
}

}  // namespace assay::load
