// Native reports of Nsight Compute made of any bytes: read, or refused in a sentence.
#include <cmath>
#include <cstdlib>
#include <set>

#include "input_file.hpp"
#include "load/format.hpp"
#include "load/load.hpp"
#include "support/kinds.hpp"

extern "C" int ncu_rep_fuzz(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  static const std::set<ColumnId> columns = {col::profiled, col::counters};
  const auto& file = fuzz::write_input({data, size});
  if (const auto launches = load::format_of(kind::kNcu)->rules(file)) {
    for (const load::RuledLaunch& launch : *launches)
      for (const load::RuleSaying& saying : launch.sayings)
        if (saying.text.empty() || (saying.speedup && !std::isfinite(*saying.speedup))) std::abort();
  }
  const auto profile = load_profile({file, kind::kNcu}, "fuzzed", columns, 1, Reader::kDirect);
  if (!profile) {
    if (profile.error().sentence.empty()) std::abort();
    return 0;
  }
  const auto view = profile->view({}, {});
  if (!view || view->report().profiled->rows == 0) std::abort();
  const CounterTable& counters = *view->report().counters;
  for (std::uint64_t c = 0; c < counters.rows; ++c) {
    if (!std::isfinite(counters.value[c]) || counters.profiled[c] < 0) std::abort();
  }
  return 0;
}
