// What a gate says to people: lines for a terminal, a table for a pull request.
#include "ci/annotations.hpp"
#include "render/format.hpp"
#include "render/markdown.hpp"
#include "render/text.hpp"

namespace assay::ci {
namespace {

constexpr std::size_t kMostRows = 200;

/// The worst first, those that pass left out.
std::vector<const Answer*> notable(const GateResult& gate) {
  std::vector<const Answer*> out;
  for (const Action action : {Action::kFail, Action::kUndecided, Action::kWarn, Action::kWaived}) {
    const std::vector<const Answer*> some = gate.with(action);
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

std::string result_word(const GateResult& gate) {
  return gate.worst == Action::kFail ? "failed" : gate.worst == Action::kUndecided ? "undecided" : "passed";
}

}  // namespace

std::string gate_markdown(const GateResult& gate, const Policy& policy) {
  const std::vector<const Answer*> rows = notable(gate);
  if (rows.empty() && gate.remarks.empty() && policy.file.empty()) return {};
  std::string out = "**Gate " + result_word(gate) + "**" + (policy.file.empty() ? "" : " by " + markdown(policy.file)) +
                    ": " + counted(gate.answers.size(), "claim") + " judged.\n\n";
  MarkdownTable table({{"action"}, {"claim"}, {"verdict"}, {"reason"}});
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    const Answer& answer = *rows[i];
    table.row({std::string(action_name(answer.action)), answer.one.name(), state_of(answer),
               shortened(answer.one.reason, 500)});
  }
  if (!rows.empty()) out += table.text();
  if (rows.size() > kMostRows) out += "\nand " + std::to_string(rows.size() - kMostRows) + " more\n";
  out += "\n";
  for (const std::string& remark : gate.remarks) out += "- " + markdown(remark) + "\n";
  return out + (gate.remarks.empty() ? "" : "\n");
}

std::vector<std::string> gate_lines(const GateResult& gate) {
  std::vector<std::string> out;
  for (const Answer* answer : notable(gate)) {
    out.push_back(padded(action_name(answer->action), 9) + "  " + one_line(answer->one.name()) + ": " +
                  one_line(state_of(*answer)));
  }
  for (const std::string& remark : gate.remarks) out.push_back(padded("remark", 9) + "  " + one_line(remark));
  out.push_back("Gate " + result_word(gate) + ": " + counted(gate.answers.size(), "claim") + " judged, " +
                std::to_string(gate.with(Action::kFail).size()) + " failed, " +
                std::to_string(gate.with(Action::kWarn).size() + gate.with(Action::kUndecided).size()) +
                " warned of, " + std::to_string(gate.with(Action::kWaived).size()) + " waived");
  return out;
}

}  // namespace assay::ci
