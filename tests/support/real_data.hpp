// Real reports, which tests read where they are at hand, and are skipped without.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace assay {

/// A folder of real data: "examples" is that of ASSAY_EXAMPLES (bundled), any other a folder below ASSAY_DATA. Null:
/// not at hand.
const char* real_data(const std::string& name);

/// A file or folder below one; nothing if the data are not at hand.
std::optional<std::filesystem::path> data_file(const std::string& name, const std::string& below);

namespace testing {
using assay::data_file;
}

}  // namespace assay
