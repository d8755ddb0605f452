#include "setup.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::overview {

std::string runtime_name(const Facts& facts) {
  return facts.attribute("cuda").starts_with("HIP") || facts.attribute("format") == "rocpd" ? "HIP" : "CUDA";
}

double devices_of(const Facts& facts) {
  const auto idle = facts.value("idle.window_ns"), window = facts.value("window.duration_ns");
  return idle && window && *window > 0 ? std::max(1.0, std::round(*idle / *window)) : 1;
}

namespace {

constexpr SectionView kSetup{
    .table = "setup", .columns = "what=|value=|what else=|its value=", .units = "text|text|text|text"};

std::string count_text(const std::optional<double>& count, const std::string& one, const std::string& many) {
  if (!count) return many + " not recorded";
  if (*count == 0) return "no " + many;
  return filled("{} {}", {fixed(*count, 0), *count == 1 ? one : many});
}

std::string captured(const Facts& facts) {
  const auto launches = facts.value("ncu.profiled_count"), kernels = facts.value("kernel.count");
  const auto window = facts.value("window.duration_ns");
  if (launches && !kernels && !window)
    return "counters of " + count_text(launches, "kernel launch", "kernel launches") + ", no timeline";
  std::string text = window ? time_text(*window) : "of unknown length";
  text += ", " + count_text(kernels, "kernel", "kernels");
  if (const auto graphs = facts.value("graph.launch_count"); graphs && *graphs > 0)
    text += ", " + count_text(graphs, "graph launch", "graph launches");
  if (const auto graphs = facts.value("graph.node_launch_count"); graphs && *graphs > 0) {
    const auto kinds = facts.value("graph.node_graph_count");
    text +=
        filled(", {} of {} traced per node", {count_text(graphs, "launch", "launches"),
                                              kinds ? count_text(kinds, "CUDA graph", "CUDA graphs") : "CUDA graphs"});
  }
  std::optional<double> copies = facts.value("copy.count");  // without a direction: there are none
  for (const auto& [direction, count] : facts.by("copy.count", "direction")) copies = copies.value_or(0) + count;
  return text + ", " + count_text(copies, "copy", "copies");
}

std::string runtime_version(const Facts& facts) {
  const std::string version = facts.attribute("cuda");
  return version.empty() || version.starts_with("HIP ") ? version : runtime_name(facts) + " " + version;
}

/// "2 x NVIDIA H100"; for several models their names.
std::string models(const Facts& facts) {
  const std::string model = facts.attribute("device");
  const double devices = devices_of(facts);
  if (devices < 2 || model.find(", ") != std::string::npos) return model;
  return fixed(devices, 0) + (model.empty() ? " of a model that is not known" : " x " + model);
}

std::string device(const Facts& facts) {
  const std::string clock = facts.attribute("clock"), rank = facts.attribute("rank");
  std::string text = models(facts);
  if (!clock.empty()) text += (text.empty() ? "" : ", ") + clock;
  if (!rank.empty()) text += filled("{}rank {} of {}", {text.empty() ? "" : ", ", rank, facts.attribute("world_size")});
  return text;
}

}  // namespace

void add_setup(const Facts& facts, Sections& to) {
  const std::string recorded = facts.attribute("recorded");
  const std::pair<std::string, std::string> all[] = {{"program", facts.attribute("program")},
                                                     {"recorded", recorded.empty() ? "" : recorded + " UTC"},
                                                     {"device", device(facts)},
                                                     {"driver", facts.attribute("driver")},
                                                     {"runtime", runtime_version(facts)},
                                                     {"profiler", facts.attribute("profiler")},
                                                     {"capture", captured(facts)}};
  std::vector<page::Cell> line;
  to.section("What ran", kSetup);
  for (const auto& [what, value] : all) {
    if (value.empty()) continue;
    line.insert(line.end(), {what, value});
    if (line.size() == 4) to.line(std::exchange(line, {}));
  }
  if (!line.empty()) to.line({line[0], line[1], "", ""});
}

}  // namespace assay::overview
