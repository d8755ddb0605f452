// A TOML file of any bytes: a question, a study, or a sentence that names the file.
#include <cstdlib>

#include "config/question_file.hpp"
#include "input_file.hpp"

extern "C" int config_fuzz(const std::uint8_t* data, std::size_t size) {
  const auto& file = assay::fuzz::write_input({data, size});
  const auto read = assay::read_config_file(file);
  if (!read && !read.error().sentence.starts_with(file.native())) std::abort();
  return 0;
}
