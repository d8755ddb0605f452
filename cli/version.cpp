#include "cli/version.hpp"

#include "assay/abi.hpp"
#include "cli/commit.hpp"  // made by each build that finds another commit

namespace assay {

std::string version_text() {
  const std::string commit = ASSAY_COMMIT;
  return "assay " ASSAY_VERSION " (" + (commit.empty() ? "" : "commit " + commit + ", ") + "plugin ABI " +
         std::to_string(kAbiMajor) + "." + std::to_string(kAbiMinor) + ", " + std::string(kCxxAbi) + ")";
}

}  // namespace assay
