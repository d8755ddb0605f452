#include "catalog/graph_captures.hpp"

#include <string>

namespace assay {
namespace {

/// Whether a text starts with `begin` followed by a digit.
bool begins_numbered(std::string_view text, std::string_view begin) {
  return text.starts_with(begin) && text.size() > begin.size() && text[begin.size()] >= '0' &&
         text[begin.size()] <= '9';
}

}  // namespace

bool named_like_graph_capture(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  if (file.parent_path().filename() == kCaptureFolder || name.starts_with("graph_capture")) return true;
  return begins_numbered(name, "capture_") || (begins_numbered(name, "bs_") && name.find("_rank") != std::string::npos);
}

std::filesystem::path folder_of_replays(const std::filesystem::path& capture) {
  const std::filesystem::path folder = capture.parent_path();
  return folder.filename() == kCaptureFolder ? folder.parent_path() : folder;
}

}  // namespace assay
