// A file of options of any bytes, which a question takes over with `from`: the question is read, or a sentence names
// the file that is wrong.
#include <cstdlib>
#include <fstream>

#include "config/question_file.hpp"
#include "input_file.hpp"

namespace assay::fuzz_of_options {

/// A question beside the input, which takes its options from there.
const std::filesystem::path& question_of(const std::filesystem::path& options) {
  static const std::filesystem::path question = options.native() + ".question.toml";
  std::ofstream(question) << "[question]\nid = \"q\"\n[analyzers.a]\nfrom = \"" << options.filename().native()
                          << "\"\n";
  static const int at_exit = std::atexit([] { std::filesystem::remove(question); });
  static_cast<void>(at_exit);
  return question;
}

extern "C" int options_fuzz(const std::uint8_t* data, std::size_t size) {
  const auto& options = assay::fuzz::write_input({data, size});
  static const std::filesystem::path& question = question_of(options);
  const auto read = assay::read_config_file(question);
  if (!read && !read.error().sentence.starts_with(options.native())) std::abort();
  return 0;
}

}  // namespace assay::fuzz_of_options
