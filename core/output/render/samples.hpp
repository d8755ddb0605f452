// Samples behind the medians in a plot, and where the most unusual one is in its report.
#pragma once

#include <string>
#include <vector>

#include "render/render.hpp"

namespace assay {

struct SampleRow {
  std::string report;          ///< without what all rows have in common: folder, first words, extension
  std::vector<double> values;  ///< at least two, unrounded
};

/// One metric: a row per profile, in the order of the plot's evidence.
struct SampleStrips {
  std::string title;  ///< the metric in words
  std::string unit;   ///< as declared
  std::vector<SampleRow> rows;
};

/// The iteration farthest above the median of its run, if unusual.
struct Instant {
  std::string said;     ///< "iteration 7 of a.sqlite: 9.82 ms, 2.9 times the median of its run"
  std::string command;  ///< "assay timeline a.sqlite --window w --iterations 'step_{i}' --only 7 -o a-7.json"
};

struct Samples {
  std::vector<SampleStrips> strips;  ///< at most two
  std::vector<Instant> instants;     ///< of metrics with one sample per iteration
};

/// From the facts behind a plot; empty if none has samples.
Samples samples_behind(const QuestionRun& run, const OwnedPlot& plot);

/// Dots are samples, a box their quartiles, its bar the median. As a file it has its own style.
std::string strips_svg(const SampleStrips& strips, bool as_file);

}  // namespace assay
