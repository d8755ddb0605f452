#include "plugins/handshake.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstring>

#include "assay/options.hpp"
#include "assay/report.hpp"
#include "assay/study.hpp"

namespace assay {
namespace {

template <class T>
T read_member(const void* symbol, std::size_t offset) {
  T value{};
  std::memcpy(&value, static_cast<const char*>(symbol) + offset, sizeof(T));
  return value;
}

std::string version(std::uint32_t major, std::uint32_t minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string version_problem(std::uint32_t major, std::uint32_t minor) {
  const std::string both = fmt::format("was built for plugin ABI {} and this host has {}", version(major, minor),
                                       version(kAbiMajor, kAbiMinor));
  if (major < kAbiMajor)
    return both + ", which no longer reads that major version; rebuild the plugin with the SDK of this host";
  if (major > kAbiMajor)
    return both + ", an older major version; update assay, or rebuild the plugin with the SDK of this host";
  if (minor > kAbiMinor)
    return both + ", an older minor version; update assay, or rebuild the plugin with the SDK of this host";
  return {};
}

/// Sizes in version 1.0: no plugin of this major version has smaller ones.
constexpr std::uint32_t kFirstDescriptor = 288, kFirstMetricSpec = 80, kFirstOptionSpec = 88, kFirstAttributeSpec = 32;
static_assert(sizeof(Descriptor) >= kFirstDescriptor && sizeof(MetricSpec) >= kFirstMetricSpec &&
              sizeof(OptionSpec) >= kFirstOptionSpec && sizeof(AttributeSpec) >= kFirstAttributeSpec);

std::string size_problem(const AbiSizes& plugin) {
  struct Check {
    const char* name;
    std::uint32_t plugin, first;
    std::size_t host;
  };
  // A plugin may know none of these host structures.
  const Check checks[] = {
      {"Descriptor", plugin.descriptor, kFirstDescriptor, sizeof(Descriptor)},
      {"MetricSpec", plugin.metric_spec, kFirstMetricSpec, sizeof(MetricSpec)},
      {"OptionSpec", plugin.option_spec, kFirstOptionSpec, sizeof(OptionSpec)},
      {"AttributeSpec", plugin.attribute_spec, kFirstAttributeSpec, sizeof(AttributeSpec)},
      {"Report", plugin.report, 0, sizeof(Report)},
      {"Study", plugin.study, 0, sizeof(Study)},
      {"OptionValue", plugin.option_value, 0, sizeof(OptionValue)},
      {"Window", plugin.window, 0, sizeof(Window)},
  };
  for (const Check& c : checks) {
    if (c.plugin >= c.first && c.plugin <= c.host) continue;
    return fmt::format(
        "has a {} of {} bytes where this host has {}, although both say plugin ABI {}; rebuild the plugin with the SDK "
        "and compiler of this host",
        c.name, c.plugin, c.host, kAbiMajor);
  }
  return {};
}

}  // namespace

std::string handshake_problem(const void* symbol) {
  if (read_member<std::uint64_t>(symbol, offsetof(Descriptor, magic)) != kMagic) {
    return fmt::format(
        "exports '{}' but it is not an assay descriptor (wrong magic, where this host has ABI {}); define it with "
        "ASSAY_PLUGIN",
        kPluginSymbol, version(kAbiMajor, kAbiMinor));
  }
  const auto major = read_member<std::uint32_t>(symbol, offsetof(Descriptor, abi_major));
  const auto minor = read_member<std::uint32_t>(symbol, offsetof(Descriptor, abi_minor));
  if (std::string problem = version_problem(major, minor); !problem.empty()) return problem;
  return size_problem(read_member<AbiSizes>(symbol, offsetof(Descriptor, sizes)));
}

}  // namespace assay
