// What the reports of a question say of where, with what and when they were made: properties of the inputs, so that
// equal inputs give equal bytes.
#pragma once

#include <string>
#include <vector>

#include "render/render.hpp"

namespace assay {

/// Text attributes of each report that was read; see load/environment.hpp.
using ReportAttributes = std::vector<const std::vector<OwnedAttribute>*>;
ReportAttributes attributes_of(const QuestionRun& run);

struct Provenance {
  struct Row {
    std::string name;   ///< "device", "clock", "driver", "cuda" or "profiler"
    std::string value;  ///< as the reports say it; empty: they do not say
    std::size_t reports;
  };
  std::size_t reports = 0;  ///< that were read
  std::vector<Row> rows;    ///< by name in the order above, then by value, what is not known last
  std::size_t dated = 0;    ///< reports that say when they were recorded
  std::string first, last;  ///< among those, "2025-08-04 16:29:32", UTC; empty where there is none
};

Provenance provenance_of(const ReportAttributes& reports);

/// What an answer rests on, in a line: "39 reports recorded from 2025-08-04 to 2025-08-06; device NVIDIA H200; ...";
/// empty without reports.
std::string provenance_line(const QuestionRun& run);

/// The first part of that line: "122 reports recorded on 2026-11-21"; empty without a report that could be read.
std::string dates_line(const QuestionRun& run);

/// "R: reproduction guide; L: lessons"; empty where the question spells out no source.
std::string sources_line(const Question& question);

/// "driver", and "CUDA" for "cuda".
std::string provenance_word(const std::string& name);

}  // namespace assay
