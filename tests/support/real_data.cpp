#include "real_data.hpp"

#include <cstdlib>
#include <map>

namespace assay {

namespace {

const char* named(const char* variable) {
  const char* folder = std::getenv(variable);
  return folder != nullptr && *folder != '\0' ? folder : nullptr;
}

}  // namespace

const char* real_data(const std::string& name) {
  if (name == "examples") return named("ASSAY_EXAMPLES");
  const char* root = named("ASSAY_DATA");
  if (root == nullptr) return nullptr;
  static std::map<std::string, std::string> folders;
  const std::string& folder = folders.try_emplace(name, std::string(root) + "/" + name).first->second;
  return std::filesystem::is_directory(folder) ? folder.c_str() : nullptr;
}

std::optional<std::filesystem::path> data_file(const std::string& name, const std::string& below) {
  if (const char* folder = real_data(name)) return std::filesystem::path(folder) / below;
  const char* bundled = named("ASSAY_BUNDLED");
  if (bundled == nullptr) return std::nullopt;
  std::filesystem::path file = std::filesystem::path(bundled) / name / below;
  return std::filesystem::exists(file) ? std::optional(std::move(file)) : std::nullopt;
}

}  // namespace assay
