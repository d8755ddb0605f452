#include "load/report_names.hpp"

#include <algorithm>
#include <vector>

#include "load/format.hpp"

namespace assay {

const std::vector<std::string_view>& report_endings() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> found;
    for (const load::Format* format : load::formats()) {
      for (const auto& ends : {format->names.extensions, format->names.raw})
        found.insert(found.end(), ends.begin(), ends.end());
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &std::string_view::size);
    return found;
  }();
  return all;
}

std::string_view stem_of(std::string_view file_name) {
  for (const std::string_view extension : report_endings()) {
    if (file_name.size() > extension.size() && file_name.ends_with(extension)) {
      file_name.remove_suffix(extension.size());
      return file_name;
    }
  }
  return file_name;
}

const load::Format* format_by_name(const std::filesystem::path& file) {
  std::string name = file.filename().native();
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto ends = [&](std::string_view extension) { return name.ends_with(extension); };
  const auto all = load::formats();
  const auto at = std::ranges::find_if(all, [&](const load::Format* format) {
    return std::ranges::any_of(format->names.telling, ends) || std::ranges::any_of(format->names.raw, ends);
  });
  return at == all.end() ? nullptr : *at;
}

bool named_like_a_report(const std::filesystem::path& file) { return format_by_name(file) != nullptr; }

std::string expected_reports() {
  std::string text;
  const auto all = load::formats();
  for (std::size_t f = 0; f < all.size(); ++f) {
    if (f > 0) text += f + 1 < all.size() ? ", " : " or ";
    text += all[f]->names.expected;
  }
  return text;
}

}  // namespace assay
