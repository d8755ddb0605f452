#include <algorithm>
#include <deque>
#include <vector>

#include "load/file_head.hpp"
#include "load/format.hpp"

namespace assay::load {
namespace {

std::vector<const Format*>& all_formats() {
  static std::vector<const Format*> all;
  return all;
}

}  // namespace

std::span<const Format* const> formats() {
  static const bool linked = [] {
    for (const FormatDescriptor* format : linked_formats()) add_format(*format, {});
    return true;
  }();
  static_cast<void>(linked);
  return all_formats();
}

void add_format(const FormatDescriptor& format, std::string file) {
  static std::deque<Format> of;
  all_formats().push_back(&of.emplace_back(format, std::move(file)));
}

const Format* format_of(const Candidate& file) {
  for (const bool last : {false, true}) {
    for (const Format* format : formats()) {
      if (format->asked_last == last && format->sniff(file)) return format;
    }
  }
  return nullptr;
}

const Format* format_of(const std::filesystem::path& file) {
  const FileHead head(file);
  return head.readable ? format_of(Candidate{.path = file, .size = head.size, .head = head.text}) : nullptr;
}

const Format* format_of(FileKind kind) {
  const auto all = formats();
  const auto at = std::ranges::find_if(all, [&](const Format* format) { return format->kind == kind; });
  return at == all.end() ? nullptr : *at;
}

const Format* format_named(std::string_view word) {
  const auto all = formats();
  const auto at = std::ranges::find_if(all, [&](const Format* format) { return format->kind.word == word; });
  return at == all.end() ? nullptr : *at;
}

std::vector<const RecorderSpec*> recorders() {
  std::vector<const RecorderSpec*> all;
  for (const Format* format : formats()) {
    for (const RecorderSpec& recorder : format->notes.recorders) all.push_back(&recorder);
  }
  return all;
}

}  // namespace assay::load
