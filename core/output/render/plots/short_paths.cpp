#include "render/plots/short_paths.hpp"

#include <algorithm>

namespace assay {

void shorten_paths(const std::vector<std::string*>& names) {
  if (names.empty()) return;
  const std::string first = *names.front();
  const auto all = [&](auto&& holds) {
    return std::ranges::all_of(names, [&](const std::string* name) { return holds(*name); });
  };
  const std::size_t name_at = first.rfind('/') + 1;  // 0 without a folder
  std::size_t dot = first.rfind('.');
  const auto is_extension = [&](std::size_t at) {
    return at != std::string::npos && at > name_at && at + 1 < first.size() &&
           first.find_first_of("0123456789 ", at) == std::string::npos;
  };
  if (!is_extension(dot)) return;
  while (is_extension(first.rfind('.', dot - 1))) dot = first.rfind('.', dot - 1);
  std::string extension = first.substr(dot), folder = first.substr(0, name_at);
  while (!all([&](const std::string& name) { return name.ends_with(extension); }))
    extension.erase(0, std::min(extension.find('.', 1), extension.size()));
  while (!all([&](const std::string& name) { return name.starts_with(folder); }))
    folder.resize(folder.size() < 2 ? 0 : folder.rfind('/', folder.size() - 2) + 1);
  for (std::string* name : names) {
    name->resize(name->size() - extension.size());
    name->erase(0, std::min(folder.size(), name->size()));
  }
}

}  // namespace assay
