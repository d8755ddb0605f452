// GitLab's Code Quality report: a JSON list of {description, check_name, fingerprint, severity, location}.
#include <map>
#include <nlohmann/json.hpp>

#include "ci/annotations.hpp"
#include "files/digest.hpp"
#include "render/text.hpp"

namespace assay::ci {
namespace {

using Json = nlohmann::ordered_json;

const char* severity_of(Level level) {
  return level == Level::kError ? "critical" : level == Level::kWarning ? "minor" : "info";
}

}  // namespace

std::string code_quality_json(const Told& told) {
  Json list = Json::array();
  std::map<std::string, std::size_t> seen;  // GitLab keeps the first of equal fingerprints alone
  for (const Answer& answer : told.gate.answers) {
    const Level level = level_of(answer, told.gated);
    if (level == Level::kNone) continue;
    const Case& one = answer.one;
    const std::string file = one.pos.file.empty() ? told.place : one.pos.file;
    std::string identity = one.question + '\0' + one.claim + '\0' + one.metric;
    if (const std::size_t before = seen[identity]++; before > 0) identity += '\0' + std::to_string(before);
    std::string text = one.name() + " is " + state_of(answer);
    if (!one.text.empty()) text += ". Claim: " + one.text;
    if (!one.reason.empty()) text += ". " + one.reason;
    list.push_back({{"description", one_line(text)},
                    {"check_name", "assay/" + std::string(verdict_name(one.verdict))},
                    {"fingerprint", files::hex(files::digest_of(identity))},
                    {"severity", severity_of(level)},
                    {"location",
                     {{"path", one_line(path_in(told.root, file))},
                      {"lines", {{"begin", std::max<std::uint32_t>(one.pos.line, 1)}}}}}});
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::ci
