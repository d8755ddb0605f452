#include "model_lines.hpp"

namespace assay::roofline {

std::map<std::string, std::string> places_of(const Report& report) {
  std::map<std::string, std::string> places;
  const DeclaredTable* const table = report.table("generated_kernels");
  if (table == nullptr) return places;
  const auto names = table->texts("name"), lines = table->texts("place");
  for (std::size_t r = 0; r < table->rows; ++r) {
    const std::string place(report.string(lines[r]));
    const auto [at, is_new] = places.emplace(report.string(names[r]), place);
    if (!is_new && at->second != place) at->second.clear();
  }
  std::erase_if(places, [](const auto& one) { return one.second.empty(); });
  return places;
}

}  // namespace assay::roofline
