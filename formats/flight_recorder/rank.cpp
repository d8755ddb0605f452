#include "rank.hpp"

#include <algorithm>
#include <charconv>

namespace assay::flight_recorder {
namespace {

bool is_in(const std::vector<std::int64_t>& ranks, std::int64_t rank) {
  return std::ranges::find(ranks, rank) != ranks.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number at `at`, after at most one separator.
std::int64_t number_at(std::string_view name, std::size_t at) {
  if (at < name.size() && (name[at] == '_' || name[at] == '-' || name[at] == '.')) ++at;
  std::int64_t number = kNoCell;
  if (at < name.size()) std::from_chars(name.data() + at, name.data() + name.size(), number);
  return number;
}

std::int64_t rank_in(std::string_view name) {
  for (const std::string_view word : {"rank", "dump"}) {
    const std::size_t at = name.rfind(word);
    const std::int64_t number = at == std::string_view::npos ? kNoCell : number_at(name, at + word.size());
    if (number >= 0) return number;
  }
  std::size_t end = name.size();
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  return number_at(name, begin);
}

/// The rank's own place in a group as its sends and receives name it, "nccl:send 0->3"; kNoCell otherwise.
std::int64_t own_place(std::string_view operation) {
  constexpr std::string_view kSend = "nccl:send ", kReceive = "nccl:recv ";
  if (!operation.starts_with(kSend) && !operation.starts_with(kReceive)) return kNoCell;
  return number_at(operation, kSend.size());
}

std::vector<std::int64_t> common_members(const Dump& dump) {
  std::vector<std::int64_t> common;
  bool first = true;
  for (const Group& group : dump.groups) {
    if (first) common = group.members;
    std::erase_if(common, [&](std::int64_t rank) { return !is_in(group.members, rank); });
    first = false;
  }
  for (const Entry& entry : dump.entries) {
    const auto place = static_cast<std::size_t>(own_place(dump.text(entry[Key::kOperation])));
    if (const Group* const group = dump.group_of(entry); group != nullptr && place < group->members.size())
      return {group->members[place]};
  }
  return common;
}

}  // namespace

DumpRank rank_of(const Dump& dump, std::string_view file_name) {
  const std::int64_t named = rank_in(file_name);
  const std::vector<std::int64_t> common = common_members(dump);
  if (named >= 0 && (common.empty() || is_in(common, named))) return {named, "name", {}};
  if (common.size() == 1)
    return {common.front(), "groups",
            named < 0 ? std::string()
                      : "The name says rank " + std::to_string(named) + ", the process groups say rank " +
                            std::to_string(common.front()) + "; the groups are believed."};
  return {kNoCell,
          {},
          "Neither the name nor the process groups say which rank wrote this dump; name it nccl_trace_rank_N."};
}

std::int64_t world_size(const Dump& dump) {
  std::int64_t world = kNoCell;
  for (const Group& group : dump.groups) world = std::max(world, static_cast<std::int64_t>(group.members.size()));
  return world;
}

}  // namespace assay::flight_recorder
