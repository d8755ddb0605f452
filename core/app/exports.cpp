#include "app/exports.hpp"

#include "app/inputs.hpp"
#include "catalog/catalog.hpp"
#include "files/walk.hpp"

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
    for (const WalkedFile& file : walk(place).files) {
      const std::filesystem::path path = place / file.below;
      if (sniff(path, file.below).kind == FileKind::kNsysSqlite) files.push_back(path);
    }
    if (files.size() == before) return no_report_in({&place, 1});
  }
  return files;
}

}  // namespace assay
