#include "load/environment.hpp"

#include <algorithm>
#include <cstdint>

#include "assay/detail/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kLongest = 160;

}  // namespace

std::string cuda_version(std::string_view number) {
  const std::int64_t version = number_in<std::int64_t>(number).value_or(0);
  if (version < 1000) return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void add_to(Environment& environment, std::string_view name, std::string_view value) {
  std::string text;
  for (const char c : value.substr(0, kLongest)) text += c >= 0x20 && c < 0x7f ? c : '?';
  const std::size_t end = text.find_last_not_of(' ');
  text.resize(end == std::string::npos ? 0 : end + 1);
  text.erase(0, text.find_first_not_of(' '));
  if (!text.empty()) environment.emplace_back(name, text);
}

std::string joined_models(std::vector<std::string> models) {
  std::sort(models.begin(), models.end());
  models.erase(std::unique(models.begin(), models.end()), models.end());
  std::string text;
  for (const std::string& model : models) {
    if (!model.empty()) text += (text.empty() ? "" : " + ") + model;
  }
  return text;
}

}  // namespace assay
