#include "render/fact_rows.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace assay {
namespace {

constexpr std::string_view kQuestionDim = "question";

auto key(const Fact& fact) { return std::tuple(std::string_view(fact.metric), std::string_view(fact.dims)); }

/// `dims` with one more, sorted by key.
std::string with_dim(std::string_view dims, std::string_view name, std::string_view value) {
  const Dim added{name, value};
  const std::string pair = canonical_dims(Span<Dim>(&added, 1)).value();
  std::vector<std::string_view> parts;
  for (std::string_view rest = dims; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    parts.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto key_of = [](std::string_view part) { return part.substr(0, part.find('=')); };
  const auto at =
      std::find_if(parts.begin(), parts.end(), [&](std::string_view p) { return key_of(p) > key_of(pair); });
  parts.insert(at, pair);
  std::string out;
  for (const std::string_view part : parts) {
    if (!out.empty()) out += ';';
    out.append(part);
  }
  return out;
}

bool alike(const Fact& a, const Fact& b) { return a.value == b.value && a.samples == b.samples; }

}  // namespace

std::string_view unit_of(const std::vector<OwnedMetric>& metrics, std::string_view id) {
  const auto at =
      std::lower_bound(metrics.begin(), metrics.end(), id,
                       [](const OwnedMetric& metric, std::string_view wanted) { return metric.id < wanted; });
  return at != metrics.end() && at->id == id ? std::string_view(at->unit) : std::string_view();
}

std::string FactRow::dims() const {
  return question.empty() ? fact->dims : with_dim(fact->dims, kQuestionDim, question);
}

/// Facts of one question for a report; consumed from the front.
struct FactRows::Facts {
  std::uint16_t question;
  const Fact* begin;
  const Fact* end;
};

FactRows::FactRows(const RunResult& run) {
  std::map<std::string_view, std::vector<Facts>> found;  // by report; the study comes first
  std::size_t most = 0;
  for (const QuestionRun& question : run.each_question()) {
    const auto number = static_cast<std::uint16_t>(question.number);
    const auto add = [&](std::string_view report, const std::vector<Fact>& facts) {
      found[report].push_back({number, facts.data(), facts.data() + facts.size()});
      most += facts.size();
    };
    questions_.push_back({question.question.id, &question.result.metrics});
    add({}, question.result.study_facts);
    for (const ReportRun& report : question.reports) add(report.file.name, report.result.facts);
  }
  rows_.reserve(most);
  for (auto& [report, of_questions] : found) add_report(report, std::move(of_questions));
  rows_.shrink_to_fit();
}

/// Merges the facts of all questions for one report.
void FactRows::add_report(std::string_view name, std::vector<Facts> of_questions) {
  const std::size_t before = rows_.size();
  const auto source = static_cast<std::uint32_t>(reports_.size());
  reports_.push_back({name, before});
  std::vector<Row> found;
  while (true) {
    std::erase_if(of_questions, [](const Facts& facts) { return facts.begin == facts.end; });
    if (of_questions.empty()) break;
    const Fact& least = *std::min_element(of_questions.begin(), of_questions.end(), [](const Facts& a, const Facts& b) {
                           return key(*a.begin) < key(*b.begin);
                         })->begin;
    found.clear();
    for (Facts& facts : of_questions) {
      while (facts.begin != facts.end && key(*facts.begin) == key(least))
        found.push_back({facts.begin++, source, facts.question, false});
    }
    add_alike(found);
  }
  if (rows_.size() == before) return reports_.pop_back();
  sort_again(before);
}

/// Adds the facts of several questions with one metric and dims: as one row if they are equal, else one row each.
void FactRows::add_alike(const std::vector<Row>& found) {
  const bool study_fact_of_many = reports_.back().name.empty() && questions_.size() > 1;
  const bool agree =
      std::all_of(found.begin(), found.end(), [&](const Row& row) { return alike(*row.fact, *found.front().fact); });
  if (agree && !study_fact_of_many) return rows_.push_back(found.front());
  for (Row row : found) {
    row.apart = true;
    rows_.push_back(row);
  }
}

/// The added dim `question=ID` may change the position of a row: sorts rows from `begin` on by dims, for each metric
/// with such rows.
void FactRows::sort_again(std::size_t begin) {
  for (std::size_t end = begin; begin < rows_.size(); begin = end) {
    bool any_apart = false;
    for (; end < rows_.size() && rows_[end].fact->metric == rows_[begin].fact->metric; ++end)
      any_apart = any_apart || rows_[end].apart;
    if (!any_apart) continue;
    std::vector<std::pair<std::string, Row>> sorted;
    for (std::size_t place = begin; place < end; ++place) sorted.emplace_back((*this)[place].dims(), rows_[place]);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(sorted.begin(), sorted.end(), rows_.begin() + static_cast<std::ptrdiff_t>(begin),
                   [](const auto& one) { return one.second; });
  }
}

FactRow FactRows::operator[](std::size_t place) const {
  const Row& row = rows_[place];
  const DeclaredMetrics& asked = questions_[row.question];
  return {reports_[row.source].name, row.apart ? asked.id : std::string_view(),
          unit_of(*asked.metrics, row.fact->metric), row.fact};
}

std::string_view FactRows::dims_of(const Row& row, std::string& room) const {
  if (!row.apart) return row.fact->dims;
  return room = with_dim(row.fact->dims, kQuestionDim, questions_[row.question].id);
}

std::size_t FactRows::row_of(std::string_view report, std::string_view metric, std::string_view dims,
                             std::string_view question) const {
  const auto of = std::lower_bound(reports_.begin(), reports_.end(), report,
                                   [](const OfReport& one, std::string_view wanted) { return one.name < wanted; });
  if (of == reports_.end() || of->name != report) return size();
  const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(of->begin);
  const auto last = of + 1 == reports_.end() ? rows_.end() : rows_.begin() + static_cast<std::ptrdiff_t>(of[1].begin);
  const auto find = [&](std::string_view wanted) {
    std::string room;
    const std::tuple sought(metric, wanted);
    const auto key_of = [&](const Row& row) {
      return std::tuple(std::string_view(row.fact->metric), dims_of(row, room));
    };
    const auto at =
        std::lower_bound(first, last, sought, [&](const Row& row, const auto& other) { return key_of(row) < other; });
    return at != last && key_of(*at) == sought ? static_cast<std::size_t>(at - rows_.begin()) : size();
  };
  const std::size_t found = find(dims);
  return found < size() ? found : find(with_dim(dims, kQuestionDim, question));
}

FactRows FactRows::only(const std::vector<bool>& wanted) const {
  FactRows chosen;
  chosen.questions_ = questions_;
  for (std::size_t r = 0; r < reports_.size(); ++r) {
    const std::size_t end = r + 1 < reports_.size() ? reports_[r + 1].begin : rows_.size();
    const std::size_t begin = chosen.rows_.size();
    for (std::size_t place = reports_[r].begin; place < end; ++place) {
      if (!wanted[place]) continue;
      chosen.rows_.push_back(rows_[place]);
      chosen.rows_.back().source = static_cast<std::uint32_t>(chosen.reports_.size());
    }
    if (chosen.rows_.size() > begin) chosen.reports_.push_back({reports_[r].name, begin});
  }
  return chosen;
}

}  // namespace assay
