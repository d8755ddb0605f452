// Version of this build.
#pragma once

#include <string>

namespace assay {

/// "assay 1.0.0 (commit 1a2b3c4d5e6f, plugin ABI 2.2, gcc 12.2.0, libstdc++)"; without the commit if not built from a
/// repository.
std::string version_text();

}  // namespace assay
