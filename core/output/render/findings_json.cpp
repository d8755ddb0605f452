#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "render/effect_json.hpp"
#include "render/format.hpp"
#include "render/outputs.hpp"
#include "render/provenance.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

Json labels_json(const std::vector<std::pair<std::string, std::string>>& labels) {
  Json out = Json::object();
  for (const auto& [name, value] : labels) out[name] = value;
  return out;
}

Json evidence_json(const std::vector<EvidenceRow>& rows) {
  Json out = Json::array();
  for (const EvidenceRow& row : rows) {
    out.push_back(
        {{"report", row.report}, {"metric", row.metric}, {"dims", row.dims}, {"value", json_number(row.value)}});
  }
  return out;
}

Json completeness_json(const Completeness& completeness) {
  Json missing = Json::array();
  for (const MatrixCell& cell : completeness.missing) missing.push_back(cell.str());
  return {{"expected", completeness.expected},     {"present", completeness.present},
          {"missing", std::move(missing)},         {"duplicate", completeness.duplicate},
          {"unreadable", completeness.unreadable}, {"lacking", completeness.lacking},
          {"unexpected", completeness.unexpected}};
}

Json claimed_json(const OwnedClaim& claim) {
  if (!claim.claimed) return nullptr;
  const auto& [metric, unit, kind, low, high] = *claim.claimed;
  return {{"metric", metric},
          {"kind", kind_name(kind)},
          {"unit", unit},
          {"between", {json_number(low), json_number(high)}}};
}

Json keys_json(const OwnedClaim& claim) {
  Json out = Json::object();
  for (const auto& [name, values] : claim.keys) out[name] = values.size() == 1 ? Json(values[0]) : Json(values);
  return out;
}

Json need_json(const std::optional<OwnedNeed>& need) {
  if (!need) return nullptr;
  if (need->unit == NeedUnit::kNothing || need->unit == NeedUnit::kChanged) return {{"in_vain", need->in_vain}};
  const bool runs = need->unit == NeedUnit::kRuns;
  return {{"unit", runs ? "runs a side" : "blocks"},
          {"seen", need->seen},
          {"needed", need->needed > kMaxNeeded ? Json(nullptr) : Json(need->needed)},
          {"scale", need_scale_name(need->scale)},
          {"centre", json_number(need->centre)},
          {"spread", json_number(need->spread)},
          {"degrees", json_number(need->degrees)}};
}

Json claims_json(const std::vector<OwnedClaim>& claims) {
  Json out = Json::array();
  for (const OwnedClaim& claim : claims) {
    Json strata = Json::array();
    for (const OwnedStratum& stratum : claim.strata) {
      strata.push_back({{"labels", labels_json(stratum.labels)},
                        {"verdict", verdict_name(stratum.verdict)},
                        {"reason", stratum.reason},
                        {"effect", effect_json(stratum.effect, 0, true)},
                        {"need", need_json(stratum.need)},
                        {"evidence", evidence_json(stratum.evidence)}});
    }
    out.push_back({{"id", claim.id},
                   {"text", claim.text},
                   {"source", claim.source},
                   {"claimed", claimed_json(claim)},
                   {"keys", keys_json(claim)},
                   {"verdict", verdict_name(claim.verdict)},
                   {"reason", claim.reason},
                   {"strata", std::move(strata)}});
  }
  return out;
}

Json findings_array(const std::vector<OwnedFinding>& findings) {
  Json out = Json::array();
  for (const OwnedFinding& finding : findings) {
    const Json effect = effect_json(finding.effect, finding.pairs);
    out.push_back({{"analyzer", finding.analyzer},
                   {"role", role_name(finding.role)},
                   {"title", finding.title},
                   {"text", finding.text},
                   {"effect", effect},
                   {"ci", finding.effect ? effect["ci"] : Json(nullptr)},
                   {"ci_reason", finding.effect ? effect["ci_reason"] : Json(nullptr)},
                   {"n", finding.effect ? Json(finding.effect->n) : Json(nullptr)},
                   {"pairs", finding.pairs > 0 ? Json(finding.pairs) : Json(nullptr)},
                   {"agreeing", finding.pairs > 0 ? Json(finding.agreeing) : Json(nullptr)},
                   {"labels", labels_json(finding.labels)},
                   {"evidence", evidence_json(finding.evidence)}});
  }
  return out;
}

Json sources_json(const std::vector<SourceSpec>& sources) {
  Json out = Json::object();
  for (const SourceSpec& source : sources) out[source.id] = source.text;
  return out;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json provenance_json(const Provenance& provenance) {
  Json rows = Json::array();
  for (const Provenance::Row& row : provenance.rows)
    rows.push_back({{"name", row.name}, {"value", text_or_null(row.value)}, {"reports", row.reports}});
  return {{"reports", provenance.reports},
          {"dated", provenance.dated},
          {"first", text_or_null(provenance.first)},
          {"last", text_or_null(provenance.last)},
          {"made_with", std::move(rows)}};
}

Json question_json(const QuestionRun& run) {
  const Question& question = run.question;
  const QuestionResult& result = run.result;
  Json skipped = Json::array();
  for (const Skip& skip : result.skips) {
    skipped.push_back({{"report", skip.report}, {"analyzer", skip.analyzer}, {"reason", skip.reason}});
  }
  Json issues = Json::array();
  for (const auto& [report, issue] : issue_rows(run)) {
    issues.push_back({{"report", report},
                      {"name", issue.name},
                      {"severity", severity_name(issue.severity)},
                      {"count", issue.count},
                      {"text", issue.text}});
  }
  return {{"question", question.id},
          {"title", question.title},
          {"text", question.text},
          {"note", question.note},
          {"sources", sources_json(question.sources)},
          {"provenance", provenance_json(provenance_of(attributes_of(run)))},
          {"completeness", completeness_json(result.completeness)},
          {"claims", claims_json(result.claims)},
          {"findings", findings_array(result.findings)},
          {"skipped", std::move(skipped)},
          {"issues", std::move(issues)}};
}

}  // namespace

std::vector<IssueRow> issue_rows(const QuestionRun& run) {
  std::vector<IssueRow> rows;
  for (const std::string& note : run.found.notes) rows.push_back({"", {"discovery", Severity::kWarning, 0, note}});
  for (const FoundIssue& issue : run.found.issues) {
    rows.push_back({issue.file, {issue.name, issue.severity, issue.count, issue.text}});
  }
  std::unordered_map<std::string_view, const FoundFile*> by_name;
  for (const FoundFile& file : run.files) by_name.try_emplace(file.name, &file);
  for (const std::string& name : run.result.completeness.unreadable) {
    const auto at = by_name.find(name);
    if (at != by_name.end() && !at->second->problem.empty())
      rows.push_back({name, {"unreadable", Severity::kError, 0, at->second->problem}});
  }
  for (const auto& [file, entry, result] : run.reports) {
    for (const std::string& problem : entry.name_problems) {
      rows.push_back({file.name, {"file_name", Severity::kWarning, 0, problem}});
    }
    for (const OwnedIssue& issue : result.issues) rows.push_back({file.name, issue});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const IssueRow& a, const IssueRow& b) { return a.report < b.report; });
  return rows;
}

std::string findings_json(const RunResult& run) {
  Json questions = Json::array();
  for (const QuestionRun& question : run.each_question()) questions.push_back(question_json(question));
  const Json root = {{"schema_version", 2}, {"questions", std::move(questions)}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay
