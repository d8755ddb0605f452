#include "algo/nsys/reports.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/detail/text.hpp"

namespace assay {

std::vector<ColumnId> AskedNsysReport::columns() const {
  std::vector<ColumnId> all(report->columns.begin(), report->columns.end());
  if (!report->companions.empty()) all.push_back(col::properties);
  const auto add = [&](std::span<const ColumnId> more) { all.insert(all.end(), more.begin(), more.end()); };
  if (name == KernelName::kBase) add(nsys_columns::base_names);
  if (name == KernelName::kMangled) add(nsys_columns::mangled_names);
  if (with_range) add(nsys_columns::range_names);
  return all;
}

std::optional<AskedNsysReport> find_nsys_report(std::string_view text) {
  AskedNsysReport asked{text};
  std::string_view rest = text;
  const auto next = [&] {
    const std::size_t colon = rest.find(':');
    const std::string_view part = rest.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    return part;
  };
  const std::string_view name = next();
  const auto* at = std::find_if(std::begin(kNsysReports), std::end(kNsysReports),
                                [&](const NsysReport& report) { return report.name == name; });
  if (at == std::end(kNsysReports) || text.ends_with(':')) return std::nullopt;
  asked.report = at;
  asked.rows = at->rows;
  const bool names = at->options == NsysOptions::kKernelNames || at->options == NsysOptions::kKernelNamesAndRanges;
  while (!rest.empty()) {
    const std::string_view option = next();
    if (names && (option == "base" || option == "mangled")) {
      asked.name = option == "base" ? KernelName::kBase : KernelName::kMangled;
    } else if (at->options == NsysOptions::kKernelNamesAndRanges && option == "nvtx-name") {
      asked.with_range = true;
    } else if (at->options == NsysOptions::kRows && option.starts_with("rows=")) {
      asked.rows = number_in<decltype(asked.rows)>(option.substr(5)).value_or(0);
      if (asked.rows < 1) return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  return asked;
}

bool is_nsys_graphics_report(std::string_view text) {
  constexpr std::string_view kFamilies[] = {"dx", "opengl_", "vulkan_", "wddm_", "nvvideo_"};
  return std::any_of(std::begin(kFamilies), std::end(kFamilies),
                     [&](std::string_view family) { return text.starts_with(family); });
}

std::string nsys_table_id(std::string_view report) {
  std::string id(report);
  std::replace(id.begin(), id.end(), ':', '_');
  return id;
}

}  // namespace assay
