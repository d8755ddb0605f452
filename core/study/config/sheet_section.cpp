#include "config/sheet_section.hpp"

#include <algorithm>

#include "config/label_section.hpp"
#include "config/runner_section.hpp"

namespace assay {
namespace {

SheetSpec read_sheet_spec(Section& section, const LabelRules& rules) {
  SheetSpec sheet;
  sheet.pos = section.pos();
  sheet.id = section.required_text("id");
  if (sheet.id == kRunnerSheet) {
    refuse(section.pos("id"), "[[sheet]] id is '" + sheet.id + "', which assay itself uses for results.json",
           "use another id.");
  }
  sheet.files = section.texts("files");
  if (sheet.files.empty()) {
    refuse(sheet.pos, "[[sheet]] " + sheet.id + " names no files", "add files = [\"results.json\"] or another glob.");
  }
  sheet.patterns = section.texts("patterns");
  check_patterns(rules, sheet.patterns, section.pos("patterns"));
  section.finish();
  return sheet;
}

}  // namespace

std::vector<SheetSpec> read_sheet_specs(std::vector<Section> sections, const LabelRules& rules) {
  std::vector<SheetSpec> sheets;
  for (Section& section : sections) {
    SheetSpec sheet = read_sheet_spec(section, rules);
    const bool twice =
        std::any_of(sheets.begin(), sheets.end(), [&](const SheetSpec& other) { return other.id == sheet.id; });
    if (twice) refuse(sheet.pos, "the sheet '" + sheet.id + "' is used twice", "ids are unique.");
    sheets.push_back(std::move(sheet));
  }
  return sheets;
}

}  // namespace assay
