// Reads options of an analyzer from a question, for calling it outside of a run.
#pragma once

#include <filesystem>

#include "assay/testing/options.hpp"
#include "result.hpp"

namespace assay {

/// Options of [analyzers.ID] in the first question that enables the analyzer; none without a file.
Result<testing::OptionInputs> options_in(const std::filesystem::path& config, const Descriptor& declared);

}  // namespace assay
