// Stage 3, plan: combines questions and plugins into an order of work. After this nothing about configuration can fail.
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

/// Checked options with defaults. Owns what its OptionValues point to.
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
  std::vector<std::string> consumes;       ///< names of metrics and attributes: declared ones and those in options
  std::set<std::string> as_analyzed = {};  ///< those among them whose producer need not conclude first
};

struct PlannedClaim {
  const ClaimConfig* config;
  OptionSet keys;
};

/// One question, ready to run. `analyzers` is in the order of `conclude`: producers before consumers, then by id.
struct PlannedQuestion {
  const Question* question;
  std::vector<PlannedAnalyzer> analyzers;
  std::vector<PlannedClaim> claims;
  const Plugin* judge = nullptr;  ///< the analyzer that emits verdicts; null without claims
  bool fingerprints = false;      ///< the host emits the fingerprint of each run: none of `analyzers` does
};

struct Plan {
  std::vector<PlannedQuestion> questions;
  std::set<ColumnId> wanted;  ///< union over all enabled analyzers; no other columns are read
};

/// Checks and orders everything. Errors (exit 2) begin with file:line:column: unknown analyzer or one whose library was
/// refused (with the reason), unknown option or claim key (did you mean), wrong type, value outside range or choices,
/// metric that no enabled analyzer produces, undeclared label, claims without a judge, cycle of consumers.
Result<Plan> make_plan(const std::vector<Question>& questions, const Plugins& plugins);

}  // namespace assay
