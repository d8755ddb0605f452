// $GITHUB_STEP_SUMMARY: a Markdown file to which each program of a step appends.
#include <fstream>

#include "ci/annotations.hpp"
#include "files/staged_file.hpp"

namespace assay::ci {

Status append_step_summary(const std::filesystem::path& file, const std::string& markdown, const std::string& instead) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(file, failed);
  const std::uintmax_t before = failed ? 0 : size;
  const std::string sentence = "The summary is too long for this page; " + instead + "\n";
  const std::string* text = &markdown;
  if (before + text->size() > kStepSummaryBytes) text = &sentence;
  if (before + text->size() > kStepSummaryBytes) return ok();
  std::ofstream to(file, std::ios::binary | std::ios::app);
  to << *text;
  return to.flush() ? ok() : Status(files::not_written(file, "it cannot be opened or extended"));
}

}  // namespace assay::ci
