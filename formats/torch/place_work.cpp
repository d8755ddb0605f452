#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "formats/torch/trace_tables.hpp"

namespace assay::load {
namespace {

/// Number of host rows by process.
std::vector<std::size_t> host_rows(Hosts& hosts, TraceTables& tables) {
  std::vector<std::size_t> rows(hosts.ranks().size(), 0);
  const auto count = [&](auto& table) {
    for (const std::uint32_t thread : table.thread.values()) ++rows[hosts.process_of(thread)];
  };
  if (tables.calls.thread.present()) {
    count(tables.calls);
  } else {
    count(tables.ops);
    count(tables.ranges);
  }
  return rows;
}

/// The processes that made calls: of one rank of a merged trace, or of the whole trace.
class Callers {
 public:
  Callers(Hosts& hosts, TraceTables& tables, const std::vector<std::size_t>& rows, std::uint32_t rank) {
    const auto belongs = [&](std::size_t process) { return rank == kUnknown || hosts.ranks()[process] == rank; };
    for (std::size_t p = 0; p < rows.size(); ++p) {
      if (belongs(p) && (main_ == kUnknown || rows[p] > rows[main_])) main_ = static_cast<std::uint32_t>(p);
    }
    const auto gather = [&](bool own, auto& calls) {
      for (std::size_t c = 0; c < tables.calls.thread.size(); ++c) {
        const std::uint32_t process = hosts.process_of(tables.calls.thread[c]);
        if (belongs(process) && (process == main_) == own) calls.emplace_back(tables.calls.correlation[c], process);
      }
    };
    gather(false, others_);
    if (!others_.empty()) gather(true, own_);
    std::ranges::sort(own_);
    std::ranges::sort(others_);
  }

  /// The process that made the call with this id; kUnknown if two processes have it.
  [[nodiscard]] std::uint32_t process_of(std::int64_t id) const {
    if (others_.empty()) return main_;
    const auto of = [id](const auto& calls) {
      const auto at = std::ranges::lower_bound(calls, std::pair(id, std::uint32_t{0}));
      return at != calls.end() && at->first == id ? at->second : kUnknown;
    };
    const std::uint32_t other = of(others_);
    if (other == kUnknown) return main_;
    return id > 0 && of(own_) != kUnknown ? kUnknown : other;
  }
  [[nodiscard]] std::uint32_t main() const { return main_; }

 private:
  std::uint32_t main_ = kUnknown;
  std::vector<std::pair<std::int64_t, std::uint32_t>> own_, others_;
};

void assign_processes(Hosts& hosts, TraceTables& tables) {
  const std::vector<std::size_t> rows_of = host_rows(hosts, tables);
  std::map<std::uint32_t, Callers> callers;
  std::int64_t ambiguous = 0;
  tables.each_work([&](auto& rows, auto& ids) {
    for (std::size_t i = 0; i < rows.process.size(); ++i) {
      std::uint32_t& process = rows.process.values()[i];
      auto at = callers.find(process);
      if (at == callers.end()) at = callers.emplace(process, Callers(hosts, tables, rows_of, process)).first;
      std::int64_t& id = ids.values()[i];
      process = at->second.process_of(id);
      if (process != kUnknown) continue;
      process = at->second.main() == kUnknown ? 0 : at->second.main();
      ambiguous += id > 0 ? 1 : 0;
      id = 0;
    }
  });
  const auto main = std::ranges::max_element(rows_of) - rows_of.begin();
  std::ranges::fill(tables.overheads.process.values(), static_cast<std::uint32_t>(main));
  if (ambiguous > 0)
    tables.out.issue("ambiguous_ids", Severity::kWarning, ambiguous,
                     fmt::format("{} rows of device work have the number of a call that several processes have; they "
                                 "are not linked to their launch.",
                                 ambiguous));
}

/// Who worked first keeps the number: kernels come before copies, and these before others.
void part_devices(TraceTables& tables) {
  using Device = std::pair<std::uint32_t, std::int32_t>;  // process, number
  std::map<Device, std::pair<int, std::int64_t>> first;   // table, start
  int table = 0;
  tables.each_work([&](auto& rows, auto&) {
    for (std::size_t i = 0; i < rows.process.size(); ++i) {
      if (rows.device[i] == kNone || !is_time(rows.start[i])) continue;
      const std::pair at(table, rows.start[i]);
      auto& known = first.try_emplace({rows.process[i], rows.device[i]}, at).first->second;
      known = std::min(known, at);
    }
    ++table;
  });
  std::vector<std::pair<std::pair<int, std::int64_t>, Device>> order;
  std::int32_t next = 0;
  for (const auto& [device, at] : first) {
    order.emplace_back(at, device);
    next = std::max(next, device.second + 1);
  }
  std::ranges::sort(order);
  std::set<std::int32_t> held;
  std::map<Device, std::int32_t> number_of;
  for (const auto& [at, device] : order) number_of[device] = held.insert(device.second).second ? device.second : next++;
  tables.each_work([&](auto& rows, auto&) {
    for (std::size_t i = 0; i < rows.process.size(); ++i) {
      const auto at = number_of.find({rows.process[i], rows.device[i]});
      if (at != number_of.end()) rows.device.values()[i] = at->second;
    }
  });
}

}  // namespace

void place_work(Hosts& hosts, TraceTables& tables) {
  assign_processes(hosts, tables);
  if (std::ranges::any_of(hosts.ranks(), [](std::uint32_t rank) { return rank != kUnknown; })) part_devices(tables);
}

}  // namespace assay::load
