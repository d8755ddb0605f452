#include "pipeline/exports.hpp"

#include "catalog/catalog.hpp"
#include "files/walk.hpp"
#include "load/report_names.hpp"
#include "pipeline/inputs.hpp"

namespace assay {

Result<std::vector<std::filesystem::path>> exports_at(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& place : places) {
    std::error_code failed;
    if (!std::filesystem::is_directory(place, failed)) {
      files.push_back(place);
      continue;
    }
    const std::size_t before = files.size();
    for (const WalkedFile& file : walk(place, named_like_a_report).files) {
      const std::filesystem::path path = place / file.below;
      if (sniff(path, file.below).kind == FileKind::kNsysSqlite) files.push_back(path);
    }
    if (files.size() == before) return no_report_in({&place, 1});
  }
  return files;
}

}  // namespace assay
