#include "history/accepted.hpp"

#include "config/section.hpp"
#include "config/toml_text.hpp"

namespace assay {

Result<std::vector<AcceptedChange>> read_accepted(const std::filesystem::path& file) {
  try {
    const toml::table table = parse_toml(file);
    Section root(table, "", {file.string(), 1, 1});
    std::vector<AcceptedChange> accepted;
    for (Section& section : root.tables("accepted")) {
      accepted.push_back({section.text("question").value_or(""), section.text("metric").value_or(""),
                          section.text("cell").value_or(""), section.required_text("at"),
                          section.text("reason").value_or("")});
      section.finish();
    }
    root.finish();
    return accepted;
  } catch (const ConfigMistake& mistake) {
    return mistake.error();
  }
}

}  // namespace assay
