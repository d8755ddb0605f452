// Replaces metric ids by words for people.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// Replaces metric ids by titles in texts for people: "iteration.gpu_busy_ns is lower" becomes "GPU busy time of an
/// iteration is lower". An id is a whole word; one without a title stays. Files for programs keep the ids.
class MetricWords {
 public:
  /// `metrics` outlive it.
  explicit MetricWords(std::span<const OwnedMetric> metrics);

  /// For plain text and Markdown.
  [[nodiscard]] std::string in_text(std::string_view text) const;
  /// For text between HTML tags; on hover each title shows its id, its definition and what it is not.
  [[nodiscard]] std::string in_html(std::string_view markup) const;

 private:
  std::map<std::string_view, const OwnedMetric*> titled_;  ///< by their ids
};

/// Replaces ids in axes, captions and titles of the plots of a question, since only people look at plots.
void title_plots(QuestionResult& result);

/// Gives series with equal names and titles the same colour in all plots of a run.
void colour_alike(std::vector<QuestionResult>& results);

}  // namespace assay
