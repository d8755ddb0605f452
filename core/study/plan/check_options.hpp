// What the TOML gives against what an analyzer declares.
#pragma once

#include "plan/plan.hpp"
#include "plan/question_scope.hpp"

namespace assay {

/// Who declares the options, for messages.
struct OptionHolder {
  std::string title;  ///< "[analyzers.run_summary]" or "[[claim]] rq1.jump"
  std::string kind;   ///< "option" or "key"
  SourcePos pos;      ///< for what is not in the file
};

/// Every declared option, checked, defaults filled in; what is not declared is an error with the nearest name.
Result<OptionSet> check_options(Span<OptionSpec> declared, const std::vector<RawOption>& given,
                                const OptionHolder& holder, const QuestionScope& scope);

/// Metrics that options name, each once.
std::vector<std::string> metrics_named(const OptionSet& options);

}  // namespace assay
