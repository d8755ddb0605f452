#include "identity.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "assay/detail/text.hpp"

namespace assay::xplane {
namespace {

namespace fs = std::filesystem;

/// "13.0" from 13000, CUDA's notation of versions.
std::string version_text(std::string_view number) {
  const int version = number_in<int>(number).value_or(0);
  if (version < 1000) return std::string(number);
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string date_text(std::int64_t ns) {
  const std::time_t seconds = ns / 1'000'000'000;
  std::tm parts{};
  char text[32];
  if (gmtime_r(&seconds, &parts) == nullptr || std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts) == 0)
    return {};
  return text;
}

/// The profiles of all hosts of a run, sorted; empty if the file is not in such a folder.
std::vector<std::string> hosts_of_run(const fs::path& file) {
  std::vector<std::string> names;
  const fs::path folder = fs::absolute(file).parent_path(), profiles = folder.parent_path();
  if (profiles.filename() != "profile" || profiles.parent_path().filename() != "plugins") return names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::string name = at->path().filename().string();
    if (name.ends_with(".xplane.pb")) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

void identify_profile(const Profile& headers, const fs::path& file, IdentitySink& out) {
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out.add(name, value);
  };
  if (!headers.devices.empty()) {
    const Device& device = headers.devices.front();
    add("device", std::string(device.name.empty() ? device.vendor : device.name));
    if (device.clock > 0) add("clock", std::to_string(device.clock / 1'000'000) + " MHz");
  }
  add("host", std::string(headers.host));
  add("cuda", version_text(headers.cuda_version));
  add("profiler", headers.jax_version.empty() ? "JAX" : "JAX " + std::string(headers.jax_version));
  if (headers.began > 0) add("recorded", date_text(headers.began));
  const std::vector<std::string> hosts = hosts_of_run(file);
  const auto own = std::ranges::find(hosts, file.filename().string());
  if (hosts.size() < 2 || own == hosts.end()) return;
  add("rank", std::to_string(own - hosts.begin()));
  add("world_size", std::to_string(hosts.size()));
}

}  // namespace assay::xplane
