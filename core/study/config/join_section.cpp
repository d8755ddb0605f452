#include "config/join_section.hpp"

#include "config/label_section.hpp"

namespace assay {

std::vector<JoinSpec> read_join_specs(std::vector<Section> sections, const LabelRules& rules) {
  std::vector<JoinSpec> joins;
  for (Section& section : sections) {
    JoinSpec& join = joins.emplace_back();
    join.pos = section.pos();
    join.files = section.texts("files");
    if (join.files.empty()) {
      refuse(join.pos, "[[join]] names no files", "add files = [\"*_ncu.csv\"] or another glob.");
    }
    join.reports = section.texts("reports");
    join.patterns = section.texts("patterns");
    check_patterns(rules, join.patterns, section.pos("patterns"));
    section.finish();
  }
  return joins;
}

}  // namespace assay
