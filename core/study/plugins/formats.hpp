// Loads formats: libraries in plugin folders that export `assay_format`.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/format.hpp"
#include "plugins/plugins.hpp"
#include "result.hpp"

namespace assay {

/// Steps 2 to 6 of the handshake of abi.hpp on the exported symbol of a format, as far as one descriptor suffices. A
/// predicate whose subject is the file; empty: passed.
std::string format_handshake_problem(const void* symbol);
std::string format_declaration_problem(const FormatDescriptor& descriptor);

/// Whether SQL has a table of this name, of the report model or of a format that is known. Of query/.
bool is_sql_table(std::string_view name);

/// Opens every library of the folders that exports `assay_format`, after trying them in processes of their own
/// (probe.hpp), and adds their formats to those that read files (load/format.hpp). Does not open a library twice, and
/// closes none. Of two formats with one id, or with one declared table, the first wins. Returns those that this call
/// refused.
std::vector<RefusedPlugin> load_formats(std::span<const std::filesystem::path> folders);

/// All formats refused so far.
const std::vector<RefusedPlugin>& refused_formats();

/// Opens the format of one library, for a command about it. Error: it is not a format, or is refused.
Result<const FormatDescriptor*> open_format(const std::filesystem::path& file);

}  // namespace assay
