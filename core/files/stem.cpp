#include "files/stem.hpp"

namespace assay {

std::string_view stem_of(std::string_view file_name) {
  // Longer ones first where one ends with the other.
  constexpr std::string_view kExtensions[] = {".pt.trace.json.gz", ".pt.trace.json", ".json.gz", ".json",
                                              ".sqlite",           ".nsys-rep",      ".qdrep",   ".ncu-rep",
                                              ".ncu.details.csv",  ".ncu.raw.csv",   ".ncu.csv", ".csv"};
  for (const std::string_view extension : kExtensions) {
    if (file_name.size() > extension.size() && file_name.ends_with(extension)) {
      file_name.remove_suffix(extension.size());
      return file_name;
    }
  }
  return file_name;
}

}  // namespace assay
