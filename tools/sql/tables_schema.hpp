// `assay schema tables`.
#pragma once

#include <string>

#include "result.hpp"

namespace assay {

/// JSON Schema of every table and column that a profile may have, with what fills it.
Result<std::string> tables_schema();

}  // namespace assay
