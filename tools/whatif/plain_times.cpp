#include "whatif/plain_times.hpp"

#include <algorithm>

#include "config/config.hpp"
#include "pipeline/pipeline.hpp"

namespace assay {

Result<Question> plain_times_question() { return installed_question("commands/plain_times.toml"); }

Result<std::vector<PlainTime>> plain_times(const Question& question, const Catalog& catalog) {
  std::vector<PlainTime> times;
  if (catalog.questions.front().sheets.empty()) return times;
  const Result<RequestResult> answered = answer({.questions = {question}, .catalog = catalog});
  if (!answered) return answered.error();
  const std::vector<OwnedTable>& tables = answered->result.questions.front().tables;
  const auto table = std::ranges::find(tables, "plain_times", &OwnedTable::id);
  if (table == tables.end()) return times;
  const OwnedTable::Column *range = table->find("Range"), *traced = table->find("Traced"),
                           *plain = table->find("Plain"), *source = table->find("Source"),
                           *report = table->find("report"), *low = table->find("Plain low"),
                           *high = table->find("Plain high");
  for (std::size_t r = 0; r < table->rows(); ++r)
    times.push_back({range->texts[r],
                     traced->numbers[r],
                     plain->numbers[r],
                     source->texts[r],
                     report->texts[r],
                     {low->numbers[r], high->numbers[r]}});
  return times;
}

}  // namespace assay
