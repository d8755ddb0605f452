#include "pipeline/inputs.hpp"

#include <map>

#include "assay/words.hpp"
#include "load/report_names.hpp"
#include "some_of.hpp"

namespace assay {
namespace {

/// "3 files (2 .txt, 1 .json)": what a folder without reports holds.
std::string content_of(std::span<const std::filesystem::path> folders) {
  std::map<std::string, std::size_t> kinds;
  std::size_t files = 0;
  for (const std::filesystem::path& folder : folders) {
    std::error_code failed;
    std::filesystem::recursive_directory_iterator at(folder, std::filesystem::directory_options::skip_permission_denied,
                                                     failed);
    for (; !failed && at != std::filesystem::recursive_directory_iterator(); at.increment(failed)) {
      if (!at->is_regular_file(failed)) continue;
      ++files;
      const std::string extension = at->path().extension().string();
      ++kinds[extension.empty() ? "without extension" : extension];
    }
  }
  if (files == 0) return "no file at all";
  std::vector<std::string> parts;
  for (const auto& [extension, count] : kinds) parts.push_back(std::to_string(count) + " " + extension);
  return counted(files, "file") + " (" + some_of(parts, 4) + ")";
}

}  // namespace

Result<std::vector<std::filesystem::path>> report_folders(std::span<const std::filesystem::path> given,
                                                          const std::vector<Question>& questions) {
  if (!given.empty()) return std::vector<std::filesystem::path>(given.begin(), given.end());
  for (const Question& question : questions) {
    std::error_code ignored;
    const std::string& folder = question.reports.folder;
    if (folder.empty() || !std::filesystem::is_directory(folder, ignored)) {
      const std::string named = folder.empty() ? "names no folder of profiles"
                                               : "reads the folder '" + folder + "', which does not exist here";
      return Error{question.file.string() + ": question '" + question.id + "' " + named}
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
    return !std::filesystem::is_directory(folder, ignored);  // the next stage says so
  });
  return folders;
}

Error no_report_in(std::span<const std::filesystem::path> folders) {
  return Error{"there is no profile in '" + folders.front().string() + "'" +
               (folders.size() > 1 ? " and the others" : "") + ", which hold" + (folders.size() > 1 ? " " : "s ") +
               content_of(folders)}
      .at(folders.front().string())
      .advise("expected " + expected_reports());
}

}  // namespace assay
