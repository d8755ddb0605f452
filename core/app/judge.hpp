// A look: the ordinary run on what is recorded so far, and which cells its claims still need.
#pragma once

#include "app/run.hpp"
#include "record/recorder.hpp"

namespace assay {

/// Converts and judges the recording as `assay run` does, into FOLDER/looks/NNN, and reads the verdicts there. `base`
/// holds what such a run is to be given besides (configurations, plugins, cache).
Result<record::Look> look_at(const RunOptions& base, const record::Design& design, const std::filesystem::path& folder);

/// The verdicts of a finished result (its findings.json) against the design. Error: it cannot be read.
Result<record::Look> look_in(const std::filesystem::path& result, const record::Design& design);

}  // namespace assay
