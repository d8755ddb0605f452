#include "call_names.hpp"

#include "groups.hpp"

namespace assay::nsys {

std::string_view call_name(std::string_view full) {
  constexpr std::size_t kSuffix = 6;  // "_v7000"
  if (full.size() < kSuffix) return full;
  const std::string_view suffix = full.substr(full.size() - kSuffix);
  const bool version = suffix.starts_with("_v") && suffix.find_first_not_of("0123456789", 2) == std::string_view::npos;
  return version ? full.substr(0, full.size() - kSuffix) : full;
}

CallNames::CallNames(const Report& report) : report_(report), name_of_(report.strings.size, kNoGroup) {}

std::uint32_t CallNames::id_of(StringId full) {
  std::uint32_t& name = name_of_[full];
  if (name == kNoGroup) {
    const std::string_view text = call_name(report_.string(full));
    const auto [entry, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    name = entry->second;
  }
  return name;
}

}  // namespace assay::nsys
