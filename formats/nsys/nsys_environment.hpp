// Where an Nsight Systems export was made.
#pragma once

#include <string_view>

#include "assay/format.hpp"

namespace assay::load {

/// Reads small tables of an export in bounded time; unreadable values are omitted.
void identify_export(const FormatFile& file, IdentitySink& out);

/// The value of a variable as the program had it, from nsys's form: `0` from `"0"`.
std::string_view bare_variable(std::string_view written);

}  // namespace assay::load
