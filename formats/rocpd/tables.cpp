#include "formats/rocpd/tables.hpp"

#include <algorithm>
#include <set>

#include "load/clean.hpp"

namespace assay::load::rocpd {
namespace {

constexpr std::string_view kDispatches = "rocpd_kernel_dispatch", kRegions = "rocpd_region",
                           kMetadata = "rocpd_metadata";

/// Tables that are read and whose loss would change the report.
constexpr std::string_view kRead[] = {kDispatches,           kRegions,
                                      "rocpd_memory_copy",   "rocpd_memory_allocate",
                                      "rocpd_pmc_event",     "rocpd_event",
                                      "rocpd_string",        "rocpd_track",
                                      "rocpd_timestamp",     "rocpd_info_agent",
                                      "rocpd_info_category", "rocpd_info_kernel_symbol",
                                      "rocpd_info_pmc",      "rocpd_info_process",
                                      "rocpd_info_thread"};
/// Other tables of AMD's profilers, up to schema 4.1.0.
constexpr std::string_view kNotRead[] = {kMetadata,
                                         "rocpd_arg",
                                         "rocpd_sample",
                                         "rocpd_graph_launch",
                                         "rocpd_event_operation",
                                         "rocpd_hip_event",
                                         "rocpd_blob_event",
                                         "rocpd_gpu_pc_sample",
                                         "rocpd_disassembly_data",
                                         "rocpd_call_stack",
                                         "rocpd_line_info",
                                         "rocpd_info_node",
                                         "rocpd_info_queue",
                                         "rocpd_info_stream",
                                         "rocpd_info_code_object",
                                         "rocpd_info_blob_schema",
                                         "rocpd_info_blob_field",
                                         "rocpd_info_address_range",
                                         "rocpd_info_source_code",
                                         "rocpd_info_pc"};

bool begins(std::string_view name, std::string_view word) {
  if (!sqlite::same_name(name.substr(0, word.size()), word)) return false;
  return name.size() == word.size() || name[word.size()] == '_';
}

/// The longest known word at the start of a name, since some words start with others; empty if there is none.
std::string_view word_of(std::string_view name) {
  std::string_view longest;
  const auto look = [&](std::string_view word) {
    if (word.size() > longest.size() && begins(name, word)) longest = word;
  };
  std::ranges::for_each(kRead, look);
  std::ranges::for_each(kNotRead, look);
  return longest;
}

std::string read_table(std::string_view name) {
  const std::string_view word = word_of(name);
  const bool read = !word.empty() && std::ranges::find(kRead, word) != std::end(kRead);
  return read ? std::string(word) + std::string(name.substr(word.size())) : std::string();
}

bool is_own_in_any_case(std::string_view name) {
  constexpr std::string_view kPrefix = "rocpd_";
  return sqlite::same_name(name.substr(0, kPrefix.size()), kPrefix);
}

/// Views have plain words as names and unite the tables of all processes.
bool may_be_view(std::string_view name) {
  return read_table(name).empty() || std::ranges::find(kRead, name) != std::end(kRead);
}

constexpr std::string_view kTypes[] = {"JSONB", "JSON"};

bool holds(std::span<const std::string> names, std::string_view word) {
  return std::ranges::any_of(names, [&](const std::string& name) { return begins(name, word); });
}

}  // namespace

constinit const SchemaRules kRocpdTables{"rocprofv3",        read_table,  is_rocpd_table,
                                         is_own_in_any_case, may_be_view, kTypes};

bool is_rocpd_table(std::string_view name) { return name.starts_with("rocpd_"); }

bool are_rocpd_tables(std::span<const std::string> names) {
  return holds(names, kMetadata) && (holds(names, kDispatches) || holds(names, kRegions));
}

std::vector<std::string> unknown_tables(std::span<const std::string> names) {
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    if (is_rocpd_table(name) && word_of(name).empty()) unknown.push_back(name);
  }
  return unknown;
}

std::vector<std::string> rocpd_suffixes(std::span<const std::string> names) {
  std::set<std::string> suffixes;
  for (const std::string& name : names) {
    for (const std::string_view word : {kDispatches, kRegions}) {
      if (begins(name, word)) suffixes.insert(name.substr(word.size()));
    }
  }
  return {suffixes.begin(), suffixes.end()};
}

RowOfId::RowOfId(std::span<const std::int64_t> ids) {
  first_ = ids.empty() ? 0 : ids.front();
  while (dense_ < ids.size() && ids[dense_] != kNoValue &&
         static_cast<std::uint64_t>(ids[dense_]) == static_cast<std::uint64_t>(first_) + dense_)
    ++dense_;
  if (dense_ == ids.size()) return;
  dense_ = 0;
  sorted_.reserve(ids.size());
  for (std::size_t row = 0; row < ids.size(); ++row) sorted_.emplace_back(ids[row], row);
  std::ranges::sort(sorted_);
}

std::size_t RowOfId::find(std::int64_t id) const {
  if (id == kNoValue) return kNoRow;
  if (sorted_.empty()) {
    const std::uint64_t row = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(first_);
    return row < dense_ ? static_cast<std::size_t>(row) : kNoRow;
  }
  const auto at = std::ranges::lower_bound(sorted_, std::pair(id, std::size_t{0}));
  return at != sorted_.end() && at->first == id ? at->second : kNoRow;
}

}  // namespace assay::load::rocpd
