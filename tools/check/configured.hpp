// Options of an analyzer as a question has them, for calling it without a run.
#pragma once

#include <filesystem>

#include "assay/testing/options.hpp"
#include "result.hpp"

namespace assay {

/// The options of [analyzers.ID], as the first question that enables the analyzer has them; none without a file.
Result<testing::OptionInputs> options_in(const std::filesystem::path& config, const Descriptor& declared);

}  // namespace assay
