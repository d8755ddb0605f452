// A build without this tool: results of runners beside profiles are not read.
#include "catalog/sidecars.hpp"

namespace assay {

std::unique_ptr<SidecarReader> sidecar_reader() { return nullptr; }

}  // namespace assay
