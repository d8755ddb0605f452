// Checks the TOML against the declarations of an analyzer.
#pragma once

#include "plan/plan.hpp"
#include "plan/question_scope.hpp"

namespace assay {

/// The owner of the options, for messages.
struct OptionHolder {
  std::string title;  ///< "[analyzers.run_summary]" or "[[claim]] rq1.jump"
  std::string kind;   ///< "option" or "key"
  SourcePos pos;      ///< for options that are missing from the file
};

/// All declared options, checked, with defaults; an undeclared one is an error that offers the nearest name.
Result<OptionSet> check_options(Span<OptionSpec> declared, const std::vector<RawOption>& given,
                                const OptionHolder& holder, const QuestionScope& scope);

/// Metrics named in options, without duplicates.
std::vector<std::string> metrics_named(const OptionSet& options);

}  // namespace assay
