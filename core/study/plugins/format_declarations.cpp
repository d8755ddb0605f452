// Checks the declarations of a format's descriptor once. A format may come from anywhere.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "load/columns.hpp"
#include "plugins/formats.hpp"
#include "plugins/own_descriptor.hpp"

namespace assay {
namespace {

bool all_readable(Span<Str> texts) {
  return within_limits(texts) &&
         std::ranges::all_of(texts, [](Str text) { return within_limits(text) && !text.empty(); });
}

bool is_name(std::string_view name) {
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && small(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return small(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::string names_problem(const FileNames& names) {
  for (const Span<Str>& list : {names.extensions, names.telling, names.raw, names.globs}) {
    if (!all_readable(list)) return "has names of files that cannot be read";
  }
  if (!within_limits(names.one_file) || !within_limits(names.expected) || names.one_file.empty() ||
      names.expected.empty())
    return "does not say what one of its files is called (one_file, expected)";
  if (names.globs.empty()) return "names no files that a question reads (globs)";
  return {};
}

std::string column_problem(const TableSpec& table, const ColumnSpec& column) {
  const auto where = [&](std::string_view what) {
    return fmt::format("declares the column {}.{} {}", table.name.view(), column.name.view(), what);
  };
  if (!within_limits(column.unit) || !within_limits(column.of) || !within_limits(column.doc))
    return where("with a text that cannot be read");
  if (column.kind > CellKind::kText) return where("of a type that this host does not know");
  if (column.role > CellRole::kLabel) return where("with a role that this host does not know");
  const bool time = column.role == CellRole::kTime || column.role == CellRole::kBegin || column.role == CellRole::kEnd;
  if ((time || column.role == CellRole::kRow) && column.kind != CellKind::kInteger)
    return where("that is a time or a row and no integer");
  if ((column.role == CellRole::kRow) == column.of.empty())
    return where(column.of.empty() ? "as rows, and not of which table" : "of a table, and not as rows");
  return {};
}

std::string table_problem(const TableSpec& table) {
  if (!within_limits(table.title) || !within_limits(table.doc) || !within_limits(table.columns) ||
      table.columns.empty())
    return fmt::format("declares the table {} without columns or with a text that cannot be read", table.name.view());
  std::set<std::string_view> seen{"report", "id", "duration"};  // names that SQL adds
  std::size_t times = 0, ends = 0;
  for (const ColumnSpec& column : table.columns) {
    if (!within_limits(column.name) || !is_name(column.name.view()))
      return fmt::format("names a column of {} with other characters than lowercase letters, digits and '_'",
                         table.name.view());
    if (!seen.insert(column.name.view()).second)
      return fmt::format("declares the column {}.{} twice, or as one that SQL adds", table.name.view(),
                         column.name.view());
    if (std::string problem = column_problem(table, column); !problem.empty()) return problem;
    times += column.role == CellRole::kTime || column.role == CellRole::kBegin ? 1 : 0;
    ends += column.role == CellRole::kEnd ? 1 : 0;
  }
  if (times > 1 || ends > times)
    return fmt::format("gives the table {} more than one time or interval", table.name.view());
  return {};
}

std::string tables_problem(Span<TableSpec> tables) {
  if (!within_limits(tables)) return "has a list of tables that cannot be read";
  std::set<std::string_view> seen;
  for (const TableSpec& table : tables) {
    if (!within_limits(table.name) || !is_name(table.name.view()))
      return "names a table with other characters than lowercase letters, digits and '_'";
    if (!seen.insert(table.name.view()).second) return fmt::format("declares the table {} twice", table.name.view());
    if (std::string problem = table_problem(table); !problem.empty()) return problem;
  }
  return {};
}

std::string captures_problem(Span<CaptureSpec> captures) {
  const bool sound = within_limits(captures) && std::ranges::all_of(captures, [](const CaptureSpec& of) {
                       return within_limits(of.what) && within_limits(of.command) && find_column(of.column) != nullptr;
                     });
  return sound ? "" : "has advice on recording that cannot be read, or about a column that this host does not have";
}

std::string parts_problem(Span<FormatPart> parts) {
  const bool sound = within_limits(parts) && std::ranges::all_of(parts, [](const FormatPart& part) {
                       return within_limits(part.name) && within_limits(part.becomes);
                     });
  return sound ? "" : "has a list of what it reads that cannot be read";
}

std::string recorders_problem(Span<RecorderSpec> recorders) {
  if (!within_limits(recorders)) return "has a list of recorders that cannot be read";
  for (const RecorderSpec& recorder : recorders) {
    const bool sound = within_limits(recorder.name) && !recorder.name.empty() && all_readable(recorder.command) &&
                       within_limits(recorder.ends_options) && within_limits(recorder.numbered_ending) &&
                       within_limits(recorder.install);
    if (!sound) return "names what records its files by texts that cannot be read, or without a name";
  }
  return {};
}

}  // namespace

std::string format_handshake_problem(const void* symbol) {
  const auto read = [&]<class T>(T& to, std::size_t offset) {
    std::memcpy(&to, static_cast<const char*>(symbol) + offset, sizeof(T));
  };
  std::uint64_t magic = 0;
  std::uint32_t major = 0, minor = 0;
  FormatSizes sizes;
  read(magic, offsetof(FormatDescriptor, magic));
  if (magic != kFormatMagic)
    return fmt::format("exports '{}' but it is no descriptor of a format; define it with ASSAY_FORMAT", kFormatSymbol);
  read(major, offsetof(FormatDescriptor, major));
  read(minor, offsetof(FormatDescriptor, minor));
  if (major != kFormatMajor || minor > kFormatMinor) {
    return fmt::format("was built for format ABI {}.{} and this host has {}.{}; {}rebuild it with the SDK of this host",
                       major, minor, kFormatMajor, kFormatMinor, major < kFormatMajor ? "" : "update assay, or ");
  }
  read(sizes, offsetof(FormatDescriptor, sizes));
  const bool fits = sizes.descriptor == sizeof(FormatDescriptor) && sizes.capture == sizeof(CaptureSpec) &&
                    sizes.recorder == sizeof(RecorderSpec) && sizes.table_spec == sizeof(TableSpec) &&
                    sizes.column_spec == sizeof(ColumnSpec) && sizes.part == sizeof(FormatPart) &&
                    sizes.file <= sizeof(FormatFile) && sizes.request <= sizeof(FormatRequest);
  return fits ? "" : "has structures of other sizes than this host; rebuild it with the SDK and compiler of this host";
}

std::string format_declaration_problem(const FormatDescriptor& d) {
  if (!within_limits(d.id) || !within_limits(d.version) || !within_limits(d.summary) || !within_limits(d.cxx_abi))
    return "has an id, version or summary that cannot be read";
  if (!is_name(d.id.view()))
    return "has an id with other characters than lowercase letters, digits and '_', a letter first";
  if (d.version.empty() || d.summary.empty()) return "has no version or no summary";
  if (d.sniff == nullptr || d.load == nullptr) return "has no function to call; define it with ASSAY_FORMAT";
  if (std::string problem = names_problem(d.names); !problem.empty()) return problem;
  for (const Span<FormatPart>& parts : {d.reads, d.passes_over}) {
    if (std::string problem = parts_problem(parts); !problem.empty()) return problem;
  }
  if (std::string problem = captures_problem(d.captures); !problem.empty()) return problem;
  if (!within_limits(d.fills) || std::ranges::any_of(d.fills, [](ColumnId id) { return find_column(id) == nullptr; }))
    return "fills a column that this host does not have; use the names in assay::col";
  if (std::string problem = recorders_problem(d.recorders); !problem.empty()) return problem;
  return tables_problem(d.tables);
}

}  // namespace assay
