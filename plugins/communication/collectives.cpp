#include "collectives.hpp"

#include <algorithm>
#include <set>

namespace assay::communication {
namespace {

StringId cell(const Column<StringId>& column, std::size_t row) { return column.present() ? column[row] : 0; }

/// Names of process groups are numbers: "2" before "10".
bool shorter_first(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

std::vector<std::string> group_names(const Report& report) {
  const CollectiveTable& t = *report.collectives;
  std::map<std::string, std::vector<std::string>> of_ranks;  // ranks -> names in the file
  std::vector<std::string> unranked;
  std::vector<std::pair<std::string, std::string>> keys;
  for (std::size_t c = 0; c < t.rows; ++c) {
    const std::string ranks(report.string(cell(t.group_ranks, c))), name(report.string(cell(t.group, c)));
    keys.emplace_back(ranks, name);
    std::vector<std::string>& names = ranks.empty() ? unranked : of_ranks[ranks];
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (auto& [ranks, names] : of_ranks) std::sort(names.begin(), names.end(), shorter_first);
  std::erase(unranked, "");  // in the order of their first collective
  std::vector<std::string> out;
  for (const auto& [ranks, name] : keys) {
    const std::vector<std::string>& names = ranks.empty() ? unranked : of_ranks[ranks];
    const auto place = std::find(names.begin(), names.end(), name) - names.begin();
    if (ranks.empty())
      out.push_back(name.empty() ? "" : "group " + std::to_string(place + 1));
    else
      out.push_back(ranks + (place > 0 ? "#" + std::to_string(place + 1) : ""));
  }
  return out;
}

Collectives collectives_of(const Report& report, const std::vector<DeviceStep>& steps) {
  const CollectiveTable& t = *report.collectives;
  Collectives out;
  const std::vector<std::string> names = group_names(report);
  std::map<std::string, std::size_t> places;
  for (const std::string& name : names) {
    if (places.emplace(name, out.groups.size()).second) out.groups.push_back(name);
  }
  std::vector<std::ptrdiff_t> row_of(static_cast<std::size_t>(report.kernels->rows), -1);
  for (std::size_t c = 0; c < t.rows; ++c)
    row_of[static_cast<std::size_t>(t.kernel[c])] = static_cast<std::ptrdiff_t>(c);
  const auto number = [](const auto& column, std::size_t row) {
    return column.present() ? static_cast<std::int64_t>(column[row]) : std::int64_t{kNone};
  };
  for (const DeviceStep& step : steps) {
    std::vector<OneCollective>& all = out.steps.emplace_back();
    for (const Row kernel : step.kernels) {
      const auto k = static_cast<std::size_t>(kernel);
      if (row_of[k] < 0) continue;
      const auto c = static_cast<std::size_t>(row_of[k]);
      OneCollective& one = all.emplace_back();
      one.kind = t.kind[c];
      one.group = places.at(names[c]);
      one.group_size = number(t.group_size, c);
      one.bytes = message_bytes(one.kind, number(t.sent, c), number(t.received, c), one.group_size);
      one.time = {report.kernels->start[k], report.kernels->end[k]};
    }
  }
  return out;
}

std::string streams_text(const Report& report) {
  std::set<std::int32_t> streams;
  for (const Row kernel : report.collectives->kernel.view())
    streams.insert(report.kernels->stream[static_cast<std::size_t>(kernel)]);
  std::string out;
  for (const std::int32_t stream : streams) out += (out.empty() ? "" : ", ") + std::to_string(stream);
  return out;
}

std::optional<double> same_stream_ratio(const Report& report, const DeviceWork& work) {
  const KernelTable& k = *report.kernels;
  std::set<std::tuple<std::uint32_t, std::int32_t, std::int32_t>> compute;
  const auto stream = [&](std::size_t row) { return std::tuple(k.process[row], k.device[row], k.stream[row]); };
  for (std::size_t row = 0; row < k.rows; ++row) {
    if (!work.communicates(row)) compute.insert(stream(row));
  }
  double all = 0, same = 0;
  for (std::size_t row = 0; row < k.rows; ++row) {
    if (!work.communicates(row)) continue;
    const auto time = static_cast<double>(k.end[row] - k.start[row]);
    all += time;
    if (compute.contains(stream(row))) same += time;
  }
  return all > 0 ? std::optional(same / all) : std::nullopt;
}

}  // namespace assay::communication
