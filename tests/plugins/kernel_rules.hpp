// The rules of configs/data, as the host hands them to the analyzers.
#pragma once

#include <toml++/toml.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::testing {

/// The list of texts under `key`, "rules" or "tensor_core_rules". Throws when its file has no such list.
inline std::vector<std::string> kernel_rules(std::string_view key) {
  const std::string name = key == "rules" ? "kernel_classes.toml" : "tensor_cores.toml";
  const toml::table file = toml::parse_file(ASSAY_SOURCE_DIR "/configs/data/" + name);
  const toml::array* list = file.get_as<toml::array>(key);
  if (list == nullptr) throw std::runtime_error(name + " has no list '" + std::string(key) + "'");
  std::vector<std::string> out;
  for (const toml::node& element : *list) out.push_back(element.value<std::string>().value());
  return out;
}

}  // namespace assay::testing
