// Names that options of one question may use: metrics and attributes of its analyzers, and its labels.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/question.hpp"
#include "plugins/plugins.hpp"
#include "result.hpp"

namespace assay {

class QuestionScope {
 public:
  QuestionScope(const Question& question, const std::vector<const Plugin*>& enabled, const Plugins& all);

  /// Index of the enabled analyzer that produces a metric or attribute; empty if none does.
  [[nodiscard]] std::optional<std::size_t> producer(std::string_view name) const;
  /// Empty if an enabled analyzer produces the metric (attribute); else a predicate with the reason and remedy.
  [[nodiscard]] std::optional<Error> metric_problem(std::string_view name) const;
  [[nodiscard]] std::optional<Error> consumed_problem(std::string_view name) const;
  /// Empty if the label is declared or built in.
  [[nodiscard]] std::optional<Error> label_problem(std::string_view name) const;
  /// Empty if "label=value" or "label=a|b" is well-formed, its label declared and its values possible.
  [[nodiscard]] std::optional<Error> condition_problem(std::string_view condition) const;

 private:
  struct Producer {
    std::size_t analyzer;
    bool metric;
  };
  [[nodiscard]] Error nobody_produces(std::string_view name, bool attributes_too) const;

  const Question* question_;
  const Plugins* all_;
  std::map<std::string, Producer, std::less<>> producers_;
};

}  // namespace assay
