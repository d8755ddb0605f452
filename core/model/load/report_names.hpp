// What names of files say of reports, by the rows of the formats.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace assay {

namespace load {
class Format;
}

/// `file_name` without one extension that some format gives its files, the longest that fits.
std::string_view stem_of(std::string_view file_name);

/// The format whose files alone have such a name, in any case (FormatNames::telling, raw); null: there is none.
const load::Format* format_by_name(const std::filesystem::path& file);

/// A file that ends so, in any case, is expected to be a report (FormatNames::telling, raw).
bool named_like_a_report(const std::filesystem::path& file);

/// "exports of Nsight Systems (.sqlite; ...), PyTorch traces (...) or CSVs of Nsight Compute": what is read as reports.
std::string expected_reports();

}  // namespace assay
