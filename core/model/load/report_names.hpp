// Recognizes reports by file name, from the tables of the formats.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

namespace load {
class Format;
}

/// Name endings of the files of all formats, ".sqlite"; if one ends with another, the longer first.
const std::vector<std::string_view>& report_endings();

/// `file_name` without the longest matching extension of any format.
std::string_view stem_of(std::string_view file_name);

/// The only format whose files have such a name, ignoring case (FormatNames::telling, raw); null: none.
const load::Format* format_by_name(const std::filesystem::path& file);

/// Whether a file is expected to be a report by its ending, ignoring case (FormatNames::telling, raw).
bool named_like_a_report(const std::filesystem::path& file);

/// "exports of Nsight Systems (.sqlite; ...), PyTorch traces (...) or CSVs of Nsight Compute": all that is read as
/// reports.
std::string expected_reports();

}  // namespace assay
