// A build without SQL: [[metric]] is refused.
#include <algorithm>

#include "pipeline/declared_metrics.hpp"
#include "plugins/formats.hpp"

namespace assay {
namespace {

class NoMetrics final : public DeclaredMetrics {
 public:
  Status add_to(Plugins&, std::span<const Question> questions) override {
    for (const Question& question : questions) {
      const auto asked = std::ranges::find(question.analyzers, "sql", &AnalyzerConfig::id);
      if (asked == question.analyzers.end()) continue;
      return Error{asked->pos.str() + ": [[metric]] is left out of this build"}
          .at(asked->pos.str())
          .advise("./dev build adds it");
    }
    return ok();
  }
};

}  // namespace

std::unique_ptr<DeclaredMetrics> declared_metrics(const std::optional<sqlite::Limits>&) {
  return std::make_unique<NoMetrics>();
}

bool is_sql_table(std::string_view) { return false; }

}  // namespace assay
