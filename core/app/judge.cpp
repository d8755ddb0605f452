#include "app/judge.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include "app/power.hpp"
#include "config/claim_keys.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

using record::Cell;
using record::Design;
using record::Json;
using record::Look;

bool is_exact(const ClaimConfig& claim) {
  return claim_key<std::string>(claim, "compare", "level") == "study" || claim_key<bool>(claim, "exact");
}

/// How many blocks of the recording the evidence of a stratum comes from.
std::size_t blocks_in(const Json& evidence) {
  std::set<std::string> blocks;
  for (const Json& row : evidence) {
    const std::string report = row.value("report", "");
    const std::size_t at = report.find("block_");
    if (at != std::string::npos) blocks.insert(report.substr(at, report.find('/', at) - at));
  }
  return blocks.size();
}

/// Blocks in all that an open stratum needs if its spread and its effect stay as they are; 0: not known yet.
std::size_t blocks_needed(const std::vector<OpenStratum>& open, const std::string& claim, const Json& stratum) {
  std::string labels;
  const Json of = stratum.value("labels", Json::object());
  for (const auto& [name, value] : of.items())
    labels += (labels.empty() ? "" : " ") + name + "=" + value.get<std::string>();
  const auto at = std::find_if(open.begin(), open.end(),
                               [&](const OpenStratum& o) { return o.claim == claim && o.labels == labels; });
  return at == open.end() ? 0 : at->as_seen;
}

/// How many blocks are recorded for one that a stratum gets: one a GPU, where it is of one GPU.
std::size_t blocks_for_one(const Design& design, const Question& question, const Json& stratum) {
  const auto at = std::ranges::find(design.questions, &question);
  if (design.gpus.size() < 2 || at == design.questions.end()) return 1;
  const auto index = static_cast<std::size_t>(at - design.questions.begin());
  const std::string label = record::gpu_label(design.experiments[index]);
  const Json labels = stratum.value("labels", Json::object());
  return !label.empty() && labels.contains(label) ? design.gpus.size() : 1;
}

/// Whether a cell bears on a stratum: equal in its labels, with either value of the label under test.
bool bears_on(const record::Values& labels, const ClaimConfig& claim, const Json& stratum) {
  const std::string tested = claim_key<std::string>(claim, "label"), base = claim_key<std::string>(claim, "base");
  const Json wanted = stratum.value("labels", Json::object());
  for (const auto& [name, value] : wanted.items()) {
    const std::string has = record::value_of(labels, name);
    const std::string wants = value.is_string() ? value.get<std::string>() : value.dump();
    if (name == tested ? has != wants && has != base : has != wants) return false;
  }
  return true;
}

void open_cells(const Design& design, const Question& question, const ClaimConfig& claim, const Json& stratum,
                std::vector<char>& open) {
  for (const record::GpuCells& gpu : design.gpus) {
    for (std::size_t c = 0; c < gpu.cells.size(); ++c) {
      const Cell& cell = gpu.cells[c];
      std::vector<const record::NamedRun*> names = {&cell.run};
      for (const record::NamedRun& other : cell.also) names.push_back(&other);
      for (const record::NamedRun* name : names) {
        if (design.questions[name->question] == &question && bears_on(name->labels, claim, stratum)) open[c] = 1;
      }
    }
  }
}

bool is_open(const Json& stratum) { return stratum.value("verdict", "") == "inconclusive"; }

Look::Claim state_of(const Design& design, const Question& question, const ClaimConfig& claim, const Json& judged,
                     const std::vector<OpenStratum>& needs, std::vector<char>& open) {
  Look::Claim state{question.id, claim.id, judged.value("verdict", "untestable"), true, 0, Json::array()};
  const Json strata = judged.value("strata", Json::array());
  const bool waits = state.verdict == "inconclusive" && !is_exact(claim);
  const bool any = std::any_of(strata.begin(), strata.end(), is_open);
  state.decided = !waits;
  for (const Json& stratum : strata) {
    const bool asks = waits && (is_open(stratum) || !any);
    const std::size_t needed =
        asks ? blocks_needed(needs, claim.id, stratum) * blocks_for_one(design, question, stratum) : 0;
    state.blocks_needed = std::max(state.blocks_needed, needed);
    if (asks) open_cells(design, question, claim, stratum, open);
    state.strata.push_back({{"labels", stratum.value("labels", Json::object())},
                            {"verdict", stratum.value("verdict", "")},
                            {"reason", stratum.value("reason", "")},
                            {"effect", stratum.value("effect", Json())},
                            {"blocks", blocks_in(stratum.value("evidence", Json::array()))},
                            {"blocks_needed", needed}});
  }
  return state;
}

/// Marks the cell of a report whose trace contradicts its name.
void find_contradicted(const Design& design, const StoredReport& report, Look& look) {
  const std::size_t block = report.name.find("block_"), name = report.name.find('/', block);
  if (!report.doubt.ends_with("is contradicted by the trace") || name == std::string::npos) return;
  const std::string_view path = std::string_view(report.name).substr(name + 1);
  for (const record::GpuCells& gpu : design.gpus) {
    for (std::size_t c = 0; c < gpu.cells.size(); ++c) {
      const std::string own = gpu.cells[c].run.path();
      const bool is = path.starts_with(own) && path.substr(own.size()).starts_with(".");
      if (is && !gpu.cells[c].twin) look.contradicted.emplace(c, report.name + ": " + report.doubt);
    }
  }
}

const Json* question_in(const Json& questions, const std::string& id) {
  for (const Json& question : questions) {
    if (question.value("question", "") == id) return &question;
  }
  return nullptr;
}

fs::path next_look(const fs::path& folder) {
  std::error_code failed;
  for (std::size_t n = 1;; ++n) {
    const std::string number = std::to_string(n);
    const fs::path place = folder / "looks" / (std::string(3 - std::min<std::size_t>(3, number.size()), '0') + number);
    if (!fs::exists(place, failed)) return place;
  }
}

}  // namespace

Result<Look> look_in(const fs::path& result, const Design& design) {
  std::ifstream in(result / "findings.json", std::ios::binary);
  const Json findings = Json::parse(in, nullptr, false);
  if (findings.is_discarded())
    return Error{"'" + (result / "findings.json").string() +
                 "' cannot be read; name a folder that 'assay run -o' wrote"};
  const auto stored = read_results(result, true);
  if (!stored) return stored.error();
  Look look;
  look.open.assign(design.cells().size(), 0);
  const Json questions = findings.value("questions", Json::array());
  for (const Question* question : design.questions) {
    const Json* judged = question_in(questions, question->id);
    const auto rows = std::find_if(stored->begin(), stored->end(), [&](const auto& q) { return q.id == question->id; });
    if (judged == nullptr || rows == stored->end()) continue;
    for (const StoredReport& report : rows->reports) find_contradicted(design, report, look);
    const std::vector<OpenStratum> needs = open_strata(*question, *rows, std::nullopt);
    for (const Json& claim : judged->value("claims", Json::array())) {
      const auto at = std::find_if(question->claims.begin(), question->claims.end(),
                                   [&](const ClaimConfig& c) { return c.id == claim.value("id", ""); });
      if (at != question->claims.end())
        look.claims.push_back(state_of(design, *question, *at, claim, needs, look.open));
    }
  }
  return look;
}

Result<Look> look_at(const RunOptions& base, const Design& design, const fs::path& folder) {
  RunOptions options = base;
  options.reports = {folder};
  options.out = next_look(folder);
  options.quiet = true;
  options.convert = true;
  std::error_code failed;
  fs::create_directories(options.out.parent_path(), failed);
  const Exit exit = run(options);
  if (exit != Exit::kOk) return Error{"the recording could not be judged", exit};
  return look_in(options.out, design);
}

}  // namespace assay
