#include "check/format_checks.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <fstream>
#include <random>

#include "check/replies.hpp"
#include "files/descriptor.hpp"
#include "files/digest.hpp"
#include "load/columns.hpp"
#include "load/format.hpp"
#include "load/stored_columns.hpp"

namespace assay::check {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::set<ColumnId>& every_column() {
  static const std::set<ColumnId> all = [] {
    std::set<ColumnId> columns;
    for (const ColumnInfo& column : column_infos()) columns.insert(column.id);
    return columns;
  }();
  return all;
}

/// A format under check, on one file.
class Reading {
 public:
  Reading(const FormatDescriptor& declared, const fs::path& file, const std::set<ColumnId>& columns) {
    load::guard_cells(true);
    const load::Format format(declared, "");
    const load::WantedColumns wanted(columns);
    filling_ = format.fill({file, file.filename().string(), wanted, 1, Reader::kDirect, {}}, *store_);
    if (filling_.unsound.empty() && filling_.refusal.empty())
      store_ = format.finish(std::move(store_), wanted, filling_);
  }
  /// Why its check failed; empty: the file was read, or rejected with a sentence.
  [[nodiscard]] const std::string& unsound() const { return filling_.unsound; }
  [[nodiscard]] const std::string& refusal() const { return filling_.refusal; }

  /// "kernels 2, calls 5"
  [[nodiscard]] std::string rows() {
    std::string text;
    const auto add = [&](std::string_view name, std::size_t count) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
    };
    load::each_fillable(*store_, [&](auto, ColumnId, std::string_view name, const auto& rows) {
      if (rows) add(name, rows->rows());
    });
    for (const load::DeclaredTableRows& table : store_->declared) add(table.spec->name.view(), table.rows);
    return text.empty() ? "no tables" : text;
  }
  /// Digest of all cells; texts by content, since their numbers depend on what else is read.
  [[nodiscard]] std::string digest() {
    files::Digester all;
    const auto add = [&](std::string_view name, std::string_view type, const auto& cells) {
      all.add(name);
      for (const auto cell : cells) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(cell)>, StringId>) {
          if (type == "StringId") {
            all.add(store_->strings[cell]);
            continue;
          }
        }
        all.add({reinterpret_cast<const char*>(&cell), sizeof(cell)});
      }
    };
    load::each_fillable(*store_, [&](auto tag, ColumnId, std::string_view, auto& rows) {
      if (!rows) return;
      load::each_stored(tag, *rows, [&](const load::StoredColumn& column, auto& cells) {
        if (cells.present()) add(column.name, column.type, cells.values());
      });
    });
    for (load::DeclaredTableRows& table : store_->declared) {
      for (load::DeclaredCells& column : table.columns)
        column.use(column.spec->kind, [&](auto& cells) { add(column.spec->name, "StringId", cells.values()); });
    }
    return files::hex(all.value());
  }

 private:
  std::unique_ptr<Profile::Store> store_ = std::make_unique<Profile::Store>();
  load::Format::Filling filling_;
};

CaseReply check_declarations(const FormatDescriptor& declared) {
  if (declared.reads.empty() || (declared.fills.empty() && declared.tables.empty()))
    return {CaseStatus::kWarned, "it does not say what it reads (kReads) or fills (kFills, kTables)"};
  return {CaseStatus::kOk, fmt::format("{} parts, {} columns, {} tables", declared.reads.size, declared.fills.size,
                                       declared.tables.size)};
}

CaseReply check_foreign_heads(const FormatDescriptor& declared) {
  const std::string noise(512, '\x7f'), zeros(512, '\0');
  const std::string_view heads[] = {"",
                                    "\n",
                                    "{",
                                    "{\"traceEvents\": [",
                                    std::string_view("SQLite format 3\0", 16),
                                    "\x1f\x8b\x08",
                                    "\"ID\",\"Process ID\"",
                                    "PK\x03\x04",
                                    noise,
                                    zeros};
  for (const std::string_view head : heads) {
    if ((*declared.sniff)({.path = "/nowhere/file", .size = head.size(), .head = head}))
      return failed(fmt::format("takes a file that begins with '{}' for one of its own", head.substr(0, 16)));
  }
  return {CaseStatus::kOk, fmt::format("{} beginnings of other files", std::size(heads))};
}

CaseReply check_sniffed(const FormatDescriptor& declared, const fs::path& file) {
  const std::string bytes = bytes_of(file), path = file.string();
  const std::string_view head = std::string_view(bytes).substr(0, load::kHeadBytes);
  if (!(*declared.sniff)({.path = path, .size = bytes.size(), .head = head}))
    return failed(fmt::format("does not know '{}' for one of its own", path));
  return {CaseStatus::kOk, ""};
}

CaseReply check_read(const FormatDescriptor& declared, const fs::path& file) {
  Reading first(declared, file, every_column());
  if (!first.unsound().empty()) return failed(first.unsound());
  if (!first.refusal().empty()) return failed(fmt::format("cannot be read: {}", first.refusal()));
  Reading second(declared, file, every_column());
  if (first.digest() != second.digest()) return failed("gives other cells when it is read again");
  return {CaseStatus::kOk, first.rows()};
}

/// Reads each table separately, and none.
CaseReply check_parts(const FormatDescriptor& declared, const fs::path& file) {
  for (const ColumnInfo& column : column_infos()) {
    const Reading part(declared, file, {column.id});
    if (!part.unsound().empty()) return failed(fmt::format("{} alone: {}", column.name, part.unsound()));
  }
  const Reading nothing(declared, file, {});
  if (!nothing.unsound().empty()) return failed("nothing: " + nothing.unsound());
  return {CaseStatus::kOk, ""};
}

constexpr std::size_t kCuts = 24, kChanges = 64;

/// `change` makes bytes that the profiler would not write; the format has to read or reject them.
CaseReply check_damaged(const FormatDescriptor& declared, const fs::path& file, std::size_t times,
                        const std::function<std::string(std::string, std::size_t)>& change) {
  const files::Descriptor memory(::memfd_create(file.filename().c_str(), MFD_CLOEXEC));
  const fs::path changed = fmt::format("/proc/self/fd/{}", memory.get());
  const std::string bytes = bytes_of(file);
  std::size_t read = 0;
  for (std::size_t i = 0; i < times; ++i) {
    std::ofstream(changed, std::ios::binary) << change(bytes, i);
    const Reading reading(declared, changed, every_column());
    if (!reading.unsound().empty()) return failed(reading.unsound());
    read += reading.refusal().empty() ? 1U : 0U;
  }
  return {CaseStatus::kOk, fmt::format("{} of {} read, the others refused", read, times)};
}

}  // namespace

std::vector<Check> checks_of_format(const FormatDescriptor& declared, std::span<const fs::path> files) {
  std::vector<Check> all;
  all.push_back({"declarations", {{"", [&] { return check_declarations(declared); }}}});
  all.push_back({"files of others", {{"", [&] { return check_foreign_heads(declared); }}}});
  const auto each_file = [&](const char* name, const std::function<CaseReply(const fs::path&)>& body) {
    Check check{name, {}};
    for (const fs::path& file : files)
      check.cases.push_back({file.filename().string(), [body, &file] { return body(file); }});
    if (!files.empty()) all.push_back(std::move(check));
  };
  each_file("own files", [&](const fs::path& file) { return check_sniffed(declared, file); });
  each_file("read twice", [&](const fs::path& file) { return check_read(declared, file); });
  each_file("parts alone", [&](const fs::path& file) { return check_parts(declared, file); });
  each_file("cut off", [&](const fs::path& file) {
    return check_damaged(declared, file, kCuts, [](std::string bytes, std::size_t i) {
      bytes.resize(bytes.size() * i / kCuts);
      return bytes;
    });
  });
  each_file("damaged", [&](const fs::path& file) {
    std::mt19937 random(1);
    return check_damaged(declared, file, kChanges, [&](std::string bytes, std::size_t i) {
      for (std::size_t n = 0; n <= i % 4 && !bytes.empty(); ++n)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      return bytes;
    });
  });
  return all;
}

}  // namespace assay::check
