// $GITHUB_STEP_SUMMARY: a Markdown file to which each program of a step appends.
#include <fstream>

#include "ci/annotations.hpp"
#include "files/staged_file.hpp"
#include "files/utf8.hpp"

namespace assay::ci {
namespace {

/// Any file but an input; what it holds is looked at besides.
const files::OutputKind kSummary{.name = "a summary in Markdown"};

/// Whether a file is none that programs append Markdown to, such as a profile or a page.
bool is_other_kind(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return false;
  std::string head(files::kMarkedBytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  const std::string_view text = std::string_view(head).substr(0, static_cast<std::size_t>(in.gcount()));
  return text.find('\0') != text.npos || !is_utf8(utf8_prefix(text, text.size())) || text.starts_with('{') ||
         text.starts_with('"') || text.starts_with('<');
}

}  // namespace

Status append_step_summary(const std::filesystem::path& file, const std::string& markdown, const std::string& instead) {
  if (const Status free = files::check_replaceable(file, kSummary); !free) return free;
  if (is_other_kind(file))
    return Error{"'" + file.string() + "' is not a summary in Markdown, so nothing is appended to it"}
        .at(file.string())
        .advise("set GITHUB_STEP_SUMMARY to a file of its own");
  // Held until the end: opening a pipe without a reader would wait for one.
  const Result<files::Descriptor> stream = files::open_stream(file);
  if (!stream) return stream.error();
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
