// What the reports of a question state about their recording: properties of the inputs, so that equal inputs give equal
// bytes.
#pragma once

#include <string>
#include <vector>

#include "render/render.hpp"

namespace assay {

/// Text attributes of each report; see load/environment.hpp.
using ReportAttributes = std::vector<const std::vector<OwnedAttribute>*>;
ReportAttributes attributes_of(const QuestionRun& run);

struct Provenance {
  struct Row {
    std::string name;   ///< "device", "clock", "driver", "cuda" or "profiler"
    std::string value;  ///< as stated in the reports; empty: not stated
    std::size_t reports;
  };
  std::size_t reports = 0;  ///< that were read
  std::vector<Row> rows;    ///< by name in the order above, then by value, unknown last
  std::size_t dated = 0;    ///< reports that state when they were recorded
  std::string first, last;  ///< among those, "2025-08-04 16:29:32", UTC; empty if there is none
};

Provenance provenance_of(const ReportAttributes& reports);

/// Basis of an answer in one line: "39 reports recorded from 2025-08-04 to 2025-08-06; device NVIDIA H200; ..."; empty
/// without reports.
std::string provenance_line(const QuestionRun& run);

/// First part of provenance_line: "122 reports recorded on 2026-11-21"; empty without a readable report.
std::string dates_line(const QuestionRun& run);

/// "R: reproduction guide; L: lessons"; empty if the question has no [sources].
std::string sources_line(const Question& question);

/// "driver", and "CUDA" for "cuda".
std::string provenance_word(const std::string& name);

}  // namespace assay
