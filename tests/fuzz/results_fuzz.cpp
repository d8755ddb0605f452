// Stored results of any bytes: read back and printed as `assay show` does, or refused in a sentence that names the
// file.
#include <cstdlib>
#include <sstream>
#include <vector>

#include "input_file.hpp"
#include "results/stored_results.hpp"

namespace assay::fuzz_of_results {

void print(const std::vector<StoredQuestion>& questions) {
  std::vector<SummaryInput> inputs;
  for (const StoredQuestion& question : questions) inputs.push_back(question.summary());
  TerminalStyle style;
  style.whole = true;
  std::ostringstream text;
  print_summary(inputs, text, style);
}

extern "C" int results_fuzz(const std::uint8_t* data, std::size_t size) {
  const auto& file = fuzz::write_database({data, size});
  const auto read = read_results(file, true);
  if (read) {
    print(*read);
  } else if (read.error().sentence.find(file.native()) == std::string::npos) {
    std::abort();
  }
  return 0;
}

}  // namespace assay::fuzz_of_results
