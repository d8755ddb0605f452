#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <map>

#include "reports.hpp"

namespace assay::nsys {
namespace {

constexpr std::int32_t kToDevice = 11, kToHost = 12;  // CUPTI's kinds of copies
constexpr const char* kNoFaults = "the export holds no page faults of unified memory";

std::string hexadecimal(std::int64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIX64, static_cast<std::uint64_t>(address));
  return text;
}

bool in_window(const Report& report, std::int64_t time) {
  const Window& window = *report.window;
  return window.named != 1 || (time >= window.host_start && time <= window.host_end);
}

/// Events at one address, or in total.
struct Page {
  std::int64_t to_device = 0, to_host = 0;                        ///< bytes
  std::int64_t moves_to_device = 0, moves_to_host = 0, time = 0;  ///< time in ns
  std::int64_t cpu_faults = 0, gpu_faults = 0, gpu_rows = 0;      ///< gpu_rows: number of rows summed in gpu_faults
};

/// Calls `use(address)` for every event of unified memory and adds it to the returned Page.
template <class PageOf>
void collect(const Report& report, PageOf page_of) {
  if (const CopyTable* copies = report.copies; copies != nullptr && copies->kind.present() && copies->bytes.present()) {
    for (std::size_t row = 0; row < copies->rows; ++row) {
      const std::int32_t kind = copies->kind[row];
      if ((kind != kToDevice && kind != kToHost) || !inside(*copies, row)) continue;
      Page& page = page_of(copies->address.present() ? copies->address[row] : kNone);
      (kind == kToDevice ? page.to_device : page.to_host) += copies->bytes[row];
      ++(kind == kToDevice ? page.moves_to_device : page.moves_to_host);
      page.time += copies->end[row] - copies->start[row];
    }
  }
  if (const PageFaultTable* faults = report.cpu_faults; faults != nullptr) {
    for (std::size_t row = 0; row < faults->rows; ++row) {
      if (in_window(report, faults->start[row])) ++page_of(faults->address[row]).cpu_faults;
    }
  }
  if (const PageFaultTable* faults = report.gpu_faults; faults != nullptr && faults->count.present()) {
    for (std::size_t row = 0; row < faults->rows; ++row) {
      if (!in_window(report, faults->start[row])) continue;
      Page& page = page_of(faults->address[row]);
      page.gpu_faults += faults->count[row];
      ++page.gpu_rows;
    }
  }
}

double megabytes(std::int64_t bytes, std::int64_t moves) {
  return moves == 0 ? kNothing : static_cast<double>(bytes) / kBytesPerMb;
}

/// nsys's text for the instruction of a CPU fault, possibly "?" or empty; corrected, its address if the function is
/// unknown.
std::string instruction_of(const Report& report, std::size_t row, bool corrected) {
  const PageFaultTable& faults = *report.cpu_faults;
  const bool named = faults.function.present() && faults.function[row] != 0;
  const bool known = named && !(faults.unresolved.present() && faults.unresolved[row] != 0);
  const bool counted = faults.counter.present() && faults.counter[row] != kNone;
  if (corrected && !known && counted) return hexadecimal(faults.counter[row]);
  return named ? std::string(report.string(faults.function[row])) : std::string();
}

/// With equal throughput, nsys lists pages with CPU faults first, then those with GPU faults only, then those only
/// migrated: to the host, to the device.
int rank_of(const Page& page) {
  if (page.cpu_faults > 0) return 0;
  if (page.gpu_rows > 0) return 1;
  return page.moves_to_host > 0 ? 2 : 3;
}

}  // namespace

ReportTable cpu_faults_sum(const Report& report, const Task& task) {
  if (report.cpu_faults == nullptr) return lacking("the export holds no page faults of the CPU");
  const PageFaultTable& faults = *report.cpu_faults;
  std::map<std::string, std::int64_t> counts;
  for (std::size_t row = 0; row < faults.rows; ++row) {
    if (!in_window(report, faults.start[row])) continue;
    ++counts[instruction_of(report, row, task.corrected())];
  }
  std::vector<std::pair<std::string, std::int64_t>> rows(counts.begin(), counts.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::int64_t> numbers;
  std::vector<std::string> instructions;
  for (auto& [instruction, count] : rows) {
    numbers.push_back(count);
    instructions.push_back(instruction);
  }
  ReportTable made{table_of(task), {}, {}};
  made.table->add("CPU Page Faults", "", std::move(numbers));
  made.table->add("CPU Instruction Address", "", std::move(instructions));
  return made;
}

ReportTable unified_memory_sum(const Report& report, const Task& task) {
  if (report.cpu_faults == nullptr && report.gpu_faults == nullptr) return lacking(kNoFaults);
  std::map<std::int64_t, Page> pages;
  collect(report, [&](std::int64_t address) -> Page& { return pages[address]; });
  pages.erase(kNone);
  std::vector<std::pair<std::int64_t, Page>> rows(pages.begin(), pages.end());
  // Bytes per second as computed by nsys, from an integer number of migrations of that length per second.
  const auto throughput_of = [](const Page& page) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const auto bytes = static_cast<double>(page.to_device + page.to_host);
    return page.time == 0 ? kNothing : bytes * static_cast<double>(kSecond / page.time);
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
    const double of_a = throughput_of(a.second), of_b = throughput_of(b.second);
    if (std::isnan(of_a) != std::isnan(of_b)) return std::isnan(of_b);
    return of_a != of_b && !std::isnan(of_a) ? of_a > of_b : rank_of(a.second) < rank_of(b.second);
  });
  if (task.asked.rows > 0) rows.resize(std::min(rows.size(), static_cast<std::size_t>(task.asked.rows)));
  const auto page = [](auto cell) { return [cell](const auto& row) { return cell(row.second); }; };
  ReportTable made{table_of(task), {}, {}};
  made.table->column("Virtual Address", "", rows, [](const auto& row) { return hexadecimal(row.first); })
      .column("HtoD Migration size", "MB", rows,
              page([](const Page& p) { return megabytes(p.to_device, p.moves_to_device); }))
      .column("DtoH Migration size", "MB", rows,
              page([](const Page& p) { return megabytes(p.to_host, p.moves_to_host); }))
      .column("CPU Page Faults", "", rows,
              page([](const Page& p) { return p.cpu_faults == 0 ? kNoInteger : p.cpu_faults; }))
      .column(" GPU Page Faults", "", rows,
              page([](const Page& p) { return p.gpu_rows == 0 ? kNoInteger : p.gpu_faults; }))
      .column("Migration Throughput", "MB/s", rows,
              page([&](const Page& p) { return throughput_of(p) / kBytesPerMb; }));
  return made;
}

ReportTable unified_memory_totals(const Report& report, const Task& task) {
  if (report.cpu_faults == nullptr && report.gpu_faults == nullptr) return lacking(kNoFaults);
  Page total;
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), greatest = kNone;
  collect(report, [&](std::int64_t address) -> Page& {
    if (address != kNone) least = std::min(least, address), greatest = std::max(greatest, address);
    return total;
  });
  // nsys gives no address range if one of the four tables has no rows.
  const bool ranged = greatest != kNone && (task.corrected() || (total.cpu_faults > 0 && total.gpu_rows > 0 &&
                                                                 total.moves_to_device > 0 && total.moves_to_host > 0));
  ReportTable made{table_of(task), {}, {}};
  Table& table = *made.table;
  table.add("Total HtoD Migration Size", "MB", std::vector{megabytes(total.to_device, total.moves_to_device)});
  table.add("Total DtoH Migration Size", "MB", std::vector{megabytes(total.to_host, total.moves_to_host)});
  table.add("Total CPU Page Faults", "", std::vector{total.cpu_faults});
  table.add("Total GPU PageFaults", "", std::vector{total.gpu_rows > 0 ? total.gpu_faults : kNoInteger});
  table.add("Minimum Virtual Address", "", std::vector{ranged ? hexadecimal(least) : std::string()});
  table.add("Maximum Virtual Address", "", std::vector{ranged ? hexadecimal(greatest) : std::string()});
  return made;
}

}  // namespace assay::nsys
