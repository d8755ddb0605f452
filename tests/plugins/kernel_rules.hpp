// The rules of configs/data/kernel_classes.toml, as the host hands them to kernel_breakdown.
#pragma once

#include <toml++/toml.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay::testing {

/// The list of texts under `key`. Throws when the file has no such list.
inline std::vector<std::string> kernel_rules(std::string_view key) {
  const toml::table file = toml::parse_file(ASSAY_SOURCE_DIR "/configs/data/kernel_classes.toml");
  const toml::array* list = file.get_as<toml::array>(key);
  if (list == nullptr) throw std::runtime_error("kernel_classes.toml has no list '" + std::string(key) + "'");
  std::vector<std::string> out;
  for (const toml::node& element : *list) out.push_back(element.value<std::string>().value());
  return out;
}

}  // namespace assay::testing
