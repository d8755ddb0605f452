// Stage 3, plan: questions and plugins to an order of work. After this nothing about configuration can fail.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "assay/options.hpp"
#include "config/question.hpp"
#include "plugins/plugins.hpp"
#include "result.hpp"

namespace assay {

/// Checked options, defaults filled in. Owns what its OptionValues point to.
class OptionSet final : public Options {
 public:
  struct Entry {
    std::string name;
    OptionType type;
    bool given;
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::vector<double>> value;
  };
  explicit OptionSet(std::vector<Entry> entries);
  ~OptionSet();
  OptionSet(OptionSet&&) noexcept;

  const OptionValue* find(Str name) const noexcept override;
  [[nodiscard]] const std::vector<Entry>& entries() const;

 private:
  struct Stored;
  std::unique_ptr<Stored> stored_;
};

/// One analyzer of one question.
struct PlannedAnalyzer {
  const Plugin* plugin;
  OptionSet options;
  std::vector<std::string> consumes;       ///< metric and attribute names: declared ones and those named by options
  std::set<std::string> as_analyzed = {};  ///< those among them whose maker need not conclude first
};

struct PlannedClaim {
  const ClaimConfig* config;
  OptionSet keys;
};

/// One question, ready to run. `analyzers` is in the order in which `conclude` runs: producers before consumers, then
/// by id.
struct PlannedQuestion {
  const Question* question;
  std::vector<PlannedAnalyzer> analyzers;
  std::vector<PlannedClaim> claims;
  const Plugin* judge = nullptr;  ///< the analyzer that gives the verdicts; null when there are no claims
};

struct Plan {
  std::vector<PlannedQuestion> questions;
  std::set<ColumnId> wanted;  ///< union over all enabled analyzers; nothing else is read
};

/// Checks everything and orders it. Errors (exit 2) begin with file:line:column: unknown analyzer or one whose library
/// was refused (with the refusal), unknown option or claim key (did you mean), wrong type, value out of range or
/// choices, metric that no enabled analyzer produces, label that is not declared, claims without a judge, cycle of
/// consumers.
Result<Plan> make_plan(const std::vector<Question>& questions, const Plugins& plugins);

}  // namespace assay
