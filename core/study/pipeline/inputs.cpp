#include "pipeline/inputs.hpp"

#include <fmt/core.h>

namespace assay {

Result<std::vector<std::filesystem::path>> report_folders(std::span<const std::filesystem::path> given,
                                                          const std::vector<Question>& questions) {
  if (!given.empty()) return std::vector<std::filesystem::path>(given.begin(), given.end());
  for (const Question& question : questions) {
    std::error_code ignored;
    const std::string& folder = question.reports.folder;
    if (folder.empty() || !std::filesystem::is_directory(folder, ignored)) {
      const std::string named = folder.empty() ? "names no folder of profiles"
                                               : "reads the folder '" + folder + "', which does not exist here";
      return Error{fmt::format("{}: question '{}' {}", question.file.string(), question.id, named)}
          .at(question.file.string())
          .advise("give the folder of its profiles with --reports DIR");
    }
  }
  return std::vector<std::filesystem::path>{"."};
}

std::vector<std::filesystem::path> folders_to_convert(std::span<const std::filesystem::path> given,
                                                      const std::vector<Question>& questions) {
  std::vector<std::filesystem::path> folders(given.begin(), given.end());
  if (given.empty()) {
    for (const Question& question : questions) folders.emplace_back(question.reports.folder);
  }
  std::erase_if(folders, [](const std::filesystem::path& folder) {
    std::error_code ignored;
    return !std::filesystem::is_directory(folder, ignored);  // the next stage reports it
  });
  return folders;
}

}  // namespace assay
