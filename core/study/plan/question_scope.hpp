// What the options of one question may name: the metrics and attributes that its analyzers give, and its labels.
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

  /// Index of the enabled analyzer that produces a metric or attribute; nothing when none does.
  [[nodiscard]] std::optional<std::size_t> producer(std::string_view name) const;
  /// Nothing when an enabled analyzer produces the metric (attribute); else why not and what to do, as the rest of a
  /// sentence that begins with the thing that names it.
  [[nodiscard]] std::optional<Error> metric_problem(std::string_view name) const;
  [[nodiscard]] std::optional<Error> consumed_problem(std::string_view name) const;
  /// Nothing when the label is declared or built in.
  [[nodiscard]] std::optional<Error> label_problem(std::string_view name) const;
  /// Nothing when "label=value" or "label=a|b" is well-formed, its label declared and its values possible.
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
