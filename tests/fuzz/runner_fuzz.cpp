// What runners wrote, of any bytes: entries whose numbers are numbers, or the rest of a sentence.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "runners/runner_file.hpp"

namespace assay::fuzz_of_runner {

void check(const std::optional<double>& amount) {
  if (amount && !(std::isfinite(*amount) && *amount >= 0)) std::abort();
}

extern "C" int runner_fuzz(const std::uint8_t* data, std::size_t size) {
  const auto file = assay::read_runner_file({reinterpret_cast<const char*>(data), size});
  if (!file) {
    if (file.error().sentence.empty()) std::abort();
    return 0;
  }
  for (const assay::RunnerEntry& entry : file->entries) {
    check(entry.process_s);
    check(entry.pass_s);
    check(entry.per_second);
    check(entry.batches);
    for (const auto& [key, text] : entry.fields) {
      if (key.empty() && text.empty()) std::abort();
    }
  }
  for (const std::string& problem : file->problems) {
    if (problem.empty()) std::abort();
  }
  return 0;
}

}  // namespace assay::fuzz_of_runner
