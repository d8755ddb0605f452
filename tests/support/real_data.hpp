// Real reports, which tests read where they are at hand, and are skipped without.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace assay {

/// A folder of real data: "examples" is that of ASSAY_EXAMPLES (bundled), any other a folder below ASSAY_DATA. Null:
/// not at hand.
const char* real_data(const std::string& name);

/// A file or folder below one; of those in the archive of small recordings (ASSAY_BUNDLED), if ASSAY_DATA lacks the
/// folder. Empty: not at hand.
std::optional<std::filesystem::path> data_file(const std::string& name, const std::string& below);

/// `name` is the folder or file, or the test is skipped and says what is not at hand.
#define ASSAY_REAL_FOLDER(name, folder)              \
  const char* const name = assay::real_data(folder); \
  if (name == nullptr) GTEST_SKIP() << "not at hand: the real data of " << (folder)
#define ASSAY_REAL_FILE(name, folder, below)         \
  const auto name = assay::data_file(folder, below); \
  if (!name) GTEST_SKIP() << "not at hand: the real data of " << (folder)

namespace testing {
using assay::data_file;
}

}  // namespace assay
