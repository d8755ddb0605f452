// Kinds of files that are read as reports, and how each is recognized, described and read: across the boundary of
// assay/format.hpp, whether a format is linked in or loaded (plugins/formats.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/format.hpp"
#include "load/environment.hpp"
#include "load/file_kind.hpp"
#include "load/finish_tables.hpp"
#include "load/load.hpp"
#include "load/reader.hpp"
#include "load/rules.hpp"
#include "load/wanted.hpp"
#include "result.hpp"
#include "sqlite/database.hpp"

namespace assay::load {

/// A file to recognize, opened once for all formats. For one thread at a time.
struct Candidate {
  std::filesystem::path path;
  std::uint64_t size = 0;
  std::string_view head;               ///< its first bytes, at most kHeadBytes
  sqlite::ForeignFile database{path};  ///< opened on first use
};
inline constexpr std::size_t kHeadBytes = 512;

/// Arguments of a format's `load`.
struct LoadRequest {
  const std::filesystem::path& path;
  std::string name;
  const WantedColumns& wanted;
  unsigned threads;                             ///< max of its own threads
  Reader reader;                                ///< for databases
  std::span<const std::filesystem::path> also;  ///< more files of the format and the run, read as one with `path`
};

/// How files of a format are named, recognized and recorded.
struct FormatNames {
  /// File name endings, ".sqlite"; if one ends with another, in any order.
  std::span<const std::string_view> extensions = {};
  /// Those of `extensions` that no other files have: a file with such a name is expected to be a report.
  std::span<const std::string_view> telling = {};
  /// Endings of files that only the profiler's own program reads and exports, ".nsys-rep": expected to be reports too.
  std::span<const std::string_view> raw = {};
  /// Which files below a folder a question reads, as in [reports] include: "**/*.sqlite".
  std::span<const std::string_view> globs = {};
  /// What a message expects: "exports of Nsight Systems (.sqlite)".
  std::string_view expected = {};
  std::string_view one = {};    ///< "an nsys export"
  std::string_view again = {};  ///< how to get an intact file: "export it again"
};

/// How a profiler records what a profile lacks: a clause that ends a sentence about what is missing.
struct CaptureAdvice {
  ColumnId column;           ///< a column, or a table by its own id
  std::string_view what;     ///< "operators"
  std::string_view command;  ///< "profile(record_shapes=True)"
};

/// Description of a format, printed by `assay describe`.
struct FormatNotes {
  std::string_view version = {}, summary = {};
  std::span<const CaptureAdvice> captures = {};  ///< for tables and columns that its files may lack
  std::span<const FormatPart> reads = {}, passes_over = {};
  std::span<const ColumnId> fills = {};
  std::span<const TableSpec> tables = {};  ///< that it declares
  std::span<const RecorderSpec> recorders = {};
  std::string_view built_with = {};  ///< only of a loaded format
  std::string_view file = {};        ///< the library; empty: linked in
};

/// What a file is that is named like one of a format, or contains part of one, but is not one.
struct Explanation {
  std::string problem;   ///< "This file is ..."; empty: nothing is wrong, another file is read instead
  std::string remedy;    ///< what to do
  bool certain = false;  ///< no file of another tool looks like this
};

/// One format: what a library of assay/format.hpp declares, or one that is linked in by the same boundary. Lives as
/// long as the program.
class Format {
 public:
  /// `descriptor` lives as long. `file`: its library; empty: linked in.
  Format(const FormatDescriptor& descriptor, std::string file);
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;

  FileKind kind;              ///< its word is unique
  std::string_view one_file;  ///< "nsys report": singular for counts
  FormatNames names;
  FormatNotes notes;
  bool asked_last;  ///< its marks are weak: formats that are added later are asked first
  bool pages;       ///< files of one run are one profile, and one request reads them
  bool beside;      ///< tables of its files are joined to the profile of the same run, if there is one

  /// Whether a file is of this format, by content: reads at most a few pages, never locks or changes the file.
  [[nodiscard]] bool sniff(const Candidate& file) const;
  struct Identity {
    Environment environment;
    std::string foretold;  ///< what reading a large file will find, "about 46924800 kernels over 140 s"; may be empty
  };
  /// Environment of the recording. Precondition: `sniff` was true. Never fails and takes bounded time: what cannot be
  /// read is missing.
  [[nodiscard]] Identity identify(const Candidate& file) const;
  /// Reads the wanted columns of a file. Precondition: `sniff` was true. Error, in one sentence: nothing can be read,
  /// or the cells are invalid.
  [[nodiscard]] Result<std::unique_ptr<Profile::Store>> load(const LoadRequest& request) const;
  /// Explains a file that no format reads; empty: this format cannot.
  [[nodiscard]] std::optional<Explanation> explain(const Candidate& file) const;
  /// Results of the profiler's own rules for the launches in a file.
  [[nodiscard]] Result<std::vector<RuledLaunch>> rules(const std::filesystem::path& file) const;
  /// For counters: fills the tables of profiled launches and counters from files of the profile's run, and the kernels'
  /// column `profiled` if wanted. A file that cannot be read becomes an issue.
  void join(Profile::Store& store, std::span<const std::filesystem::path> files, const WantedColumns& wanted) const;

  /// Result of `fill`: at most one of the texts is not empty.
  struct Filling {
    std::string unsound;      ///< what the format did wrong, as a predicate whose subject is the format
    std::string refusal;      ///< why the file cannot be read
    std::string remedy = {};  ///< what to do about that; may be empty
    StatedByFormat stated = {};
  };
  /// The format's part of `load`: fills the store and has its cells checked.
  [[nodiscard]] Filling fill(const LoadRequest& request, Profile::Store& store) const;
  /// The host's part: finishes the tables, and has the format derive others.
  [[nodiscard]] std::unique_ptr<Profile::Store> finish(std::unique_ptr<Profile::Store> store,
                                                       const WantedColumns& wanted, Filling& filling) const;

 private:
  [[nodiscard]] Error not_readable(const std::string& path, const std::string& why, const std::string& remedy) const;
  const FormatDescriptor& descriptor_;
  std::string file_, one_;
  std::vector<std::string_view> extensions_, telling_, raw_, globs_;
  std::vector<CaptureAdvice> captures_;
};

/// In this process, puts an inaccessible page behind each column that a format fills, so that a write beyond the column
/// crashes. For processes that only try a format.
void guard_cells(bool guarded);

/// Formats that are part of the program, in the order in which they are tried.
std::span<const FormatDescriptor* const> linked_formats();

/// A format that this program was built without.
struct LeftOutFormat {
  std::string_view word;
  std::span<const std::string_view> telling;  ///< as in FormatNames::telling and raw
};
std::span<const LeftOutFormat> left_out_formats();

/// Adds a format after all others, for the rest of the program. Call before any other thread is started.
void add_format(const FormatDescriptor& format, std::string file);

/// All formats. The first that recognizes a file reads it; those with `asked_last` are tried after all others.
std::span<const Format* const> formats();

/// Format that reads a file; null if there is none.
const Format* format_of(const Candidate& file);
const Format* format_of(FileKind kind);
/// Opens the file; also null if that fails.
const Format* format_of(const std::filesystem::path& file);
/// Format whose kind has this word; null if there is none.
const Format* format_named(std::string_view word);
/// Recorders of all formats, in format order.
std::vector<const RecorderSpec*> recorders();

}  // namespace assay::load
