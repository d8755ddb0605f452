#include "pipeline/run_record.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "assay/abi.hpp"
#include "files/digest.hpp"
#include "machine.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

/// The named files, and those of the questions that a study names, without duplicates.
Json configurations(std::vector<std::filesystem::path> files, const Plan& plan) {
  for (const PlannedQuestion& planned : plan.questions) files.push_back(planned.question->file);
  Json out = Json::array();
  for (auto file = files.begin(); file != files.end(); ++file) {
    if (std::find(files.begin(), file, *file) != file) continue;
    const auto digest = files::hex_of_file(*file);  // null for a file that is gone by now
    out.push_back({{"path", file->string()}, {"xxh128", digest ? Json(*digest) : Json(nullptr)}});
  }
  return out;
}

/// Analyzers that ran, with digests of their files: a version says little while an analyzer is being developed.
Json analyzers(const Plan& plan) {
  std::map<std::string_view, const Plugin*> plugins;
  for (const PlannedQuestion& planned : plan.questions) {
    for (const PlannedAnalyzer& analyzer : planned.analyzers) plugins.emplace(analyzer.plugin->id(), analyzer.plugin);
  }
  Json out = Json::array();
  for (const auto& [id, plugin] : plugins) {
    const Descriptor& declared = plugin->descriptor();
    const auto digest = files::hex_of_file(plugin->file());
    Json metrics = Json::array();
    for (const MetricSpec& metric : declared.produces) metrics.push_back(metric.id.view());
    out.push_back({{"id", id},
                   {"version", declared.version.view()},
                   {"file", plugin->file().string()},
                   {"xxh128", digest ? Json(*digest) : Json(nullptr)},
                   {"plugin_abi", std::to_string(declared.abi_major) + "." + std::to_string(declared.abi_minor)},
                   {"compiler", declared.cxx_abi.view()},
                   {"metrics", metrics}});
  }
  return out;
}

}  // namespace

RunRecord::RunRecord(std::vector<std::string> command, std::vector<std::filesystem::path> configs,
                     std::vector<std::filesystem::path> reports)
    : command_(std::move(command)), configs_(std::move(configs)), reports_(std::move(reports)) {}

std::string RunRecord::json(const Plan& plan) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun_;
  const std::string host = host_name();
  std::error_code unknown;
  Json reports = Json::array();
  for (const std::filesystem::path& folder : reports_) reports.push_back(folder.string());
  const Json root = {{"schema_version", 1},
                     {"command", command_},
                     {"folder", std::filesystem::current_path(unknown).string()},
                     {"configurations", configurations(configs_, plan)},
                     {"reports", reports},
                     {"start", utc_text(std::chrono::system_clock::to_time_t(start_)) + "Z"},
                     {"duration_s", std::round(passed.count() * 1000) / 1000},
                     {"host", host.empty() ? Json(nullptr) : Json(host)},
                     {"assay", ASSAY_VERSION},
                     {"plugin_abi", std::to_string(kAbiMajor) + "." + std::to_string(kAbiMinor)},
                     {"analyzers", analyzers(plan)}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay
