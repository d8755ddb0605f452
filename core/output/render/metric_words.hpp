// What people read for the id of a metric.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// Puts titles in the place of metric ids in texts for people: "iteration.gpu_busy_ns is lower" becomes "GPU busy time
/// of an iteration is lower". An id is a whole word; one without a title stays. Files for programs keep the ids.
class MetricWords {
 public:
  /// `metrics` outlive it.
  explicit MetricWords(std::span<const OwnedMetric> metrics);

  /// Of plain text and of Markdown.
  [[nodiscard]] std::string in_text(std::string_view text) const;
  /// Of what stands between the tags of a piece of HTML; each title shows its id, its
  /// definition and what it is not when it is pointed at.
  [[nodiscard]] std::string in_html(std::string_view markup) const;

 private:
  std::map<std::string_view, const OwnedMetric*> titled_;  ///< by their ids
};

/// Puts titles on the axes, captions and titles of the plots of a question: all who see a plot are people.
void title_plots(QuestionResult& result);

/// Gives a series of one name and title the same colour in all plots of a run.
void colour_alike(std::vector<QuestionResult>& results);

}  // namespace assay
