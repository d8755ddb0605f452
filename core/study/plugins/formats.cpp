#include "plugins/formats.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>

#include "load/format.hpp"
#include "plugins/library_file.hpp"
#include "plugins/probe.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

/// Descriptors of open libraries, by file; they stay open. Copies: members that a format was built without are empty.
std::map<fs::path, FormatDescriptor>& opened() {
  static std::map<fs::path, FormatDescriptor> all;
  return all;
}

std::vector<RefusedPlugin>& all_refused() {
  static std::vector<RefusedPlugin> all;
  return all;
}

/// A format that accepts every file would take those of others.
std::string sniff_problem(const FormatDescriptor& descriptor) {
  return (*descriptor.sniff)(FormatFile{}) ? "says of an empty file that it is one of its own" : "";
}

std::string try_format(const fs::path& file) {
  const auto format = open_format(file);
  if (!format) return format.error().sentence;
  const std::string problem = sniff_problem(**format);
  return problem.empty() ? problem : refused(file, problem).sentence;
}

/// Whether two formats may both fill a table, which SQL and analyzers see as one.
bool is_same_table(const TableSpec& a, const TableSpec& b) {
  return a.name == b.name && std::ranges::equal(a.columns, b.columns, [](const ColumnSpec& x, const ColumnSpec& y) {
           return x.name == y.name && x.kind == y.kind && x.role == y.role && x.unit == y.unit && x.of == y.of;
         });
}

bool is_shared(const TableSpec& table) {
  return std::ranges::any_of(load::formats(), [&](const load::Format* format) {
    return std::ranges::any_of(format->notes.tables,
                               [&](const TableSpec& other) { return is_same_table(table, other); });
  });
}

/// Names that a format shares with another, as a predicate.
std::string clash(const FormatDescriptor& d) {
  for (const load::Format* other : load::formats()) {
    if (other->kind.word == d.id.view())
      return fmt::format("has the id '{}' of a format that is known before{}", d.id.view(),
                         other->notes.file.empty() ? "" : fmt::format(", in {}", other->notes.file));
  }
  for (const TableSpec& table : d.tables) {
    if (is_sql_table(table.name.view()) && !is_shared(table))
      return fmt::format("declares the table '{}', which there is already with other columns; rename it",
                         table.name.view());
  }
  return {};
}

}  // namespace

Result<const FormatDescriptor*> open_format(const fs::path& file) {
  if (const auto known = opened().find(file); known != opened().end()) return &known->second;
  if (const std::string problem = library_file_problem(file); !problem.empty()) return refused(file, problem);
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const text = ::dlerror();
    return refused(file, fmt::format("cannot be loaded ({})", text == nullptr ? "the loader gives no reason" : text));
  }
  const void* const symbol = ::dlsym(library, kFormatSymbol);
  if (symbol == nullptr) {
    return refused(file,
                   fmt::format("exports no '{}'; a format ends with ASSAY_FORMAT(id, version, class)", kFormatSymbol));
  }
  std::string problem = format_handshake_problem(symbol);
  if (!problem.empty()) return refused(file, problem);
  FormatDescriptor descriptor;
  FormatSizes sizes;
  std::memcpy(&sizes, static_cast<const char*>(symbol) + offsetof(FormatDescriptor, sizes), sizeof(sizes));
  std::memcpy(static_cast<void*>(&descriptor), symbol, sizes.descriptor);
  problem = format_declaration_problem(descriptor);
  if (!problem.empty()) return refused(file, problem);
  return &opened().emplace(file, descriptor).first->second;
}

const std::vector<RefusedPlugin>& refused_formats() { return all_refused(); }

std::vector<RefusedPlugin> load_formats(std::span<const fs::path> folders) {
  std::vector<RefusedPlugin> refusals, not_listed;
  std::vector<fs::path> searched;
  std::vector<fs::path> files = libraries_of(folders, searched, not_listed);
  std::erase_if(files,
                [](const fs::path& file) { return opened().contains(file) || !names_symbol(file, kFormatSymbol); });
  const std::vector<std::string> problems = probe_libraries(files, &try_format);
  for (std::size_t f = 0; f < files.size(); ++f) {
    std::string sentence = problems[f];
    if (sentence.empty()) {
      const auto format = open_format(files[f]);
      const std::string twin = format ? clash(**format) : std::string();
      if (!format) sentence = format.error().sentence;
      if (!twin.empty()) sentence = refused(files[f], twin).sentence;
      if (sentence.empty()) load::add_format(**format, files[f].string());
    }
    if (!sentence.empty()) refusals.push_back({files[f], std::move(sentence)});
  }
  all_refused().insert(all_refused().end(), refusals.begin(), refusals.end());
  return refusals;
}

}  // namespace assay
