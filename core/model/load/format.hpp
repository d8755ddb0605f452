// The kinds of files that are read as reports: how each is told, described and read. Formats are linked in by the list
// of formats.cpp, or loaded (plugins/formats.hpp) and then known here too.
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
#include "load/load.hpp"
#include "load/reader.hpp"
#include "load/rules.hpp"
#include "load/wanted.hpp"
#include "result.hpp"
#include "sqlite/database.hpp"

namespace assay::load {

/// A file whose kind is asked, opened once for all formats. For one thread at a time.
struct Candidate {
  std::filesystem::path path;
  std::uint64_t size = 0;
  std::string_view head;               ///< its first bytes, at most kHeadBytes
  sqlite::ForeignFile database{path};  ///< not opened before a format asks
};
inline constexpr std::size_t kHeadBytes = 512;

/// What a format's `load` is given.
struct LoadRequest {
  const std::filesystem::path& path;
  std::string name;
  const WantedColumns& wanted;
  unsigned threads;                                 ///< at most so many of its own
  Reader reader;                                    ///< for databases
  std::span<const std::filesystem::path> counters;  ///< CSVs of Nsight Compute of the same run
};

/// How files of a format are named, told and recorded.
struct FormatNames {
  /// Ends of names, ".sqlite"; of two of which one ends with the other any order.
  std::span<const std::string_view> extensions = {};
  /// Those among them that no other files have: a file named so is expected to be a report.
  std::span<const std::string_view> telling = {};
  /// Of files that only the profiler's own program reads and exports, ".nsys-rep": expected to be reports too.
  std::span<const std::string_view> raw = {};
  /// Which files below a folder a question of such reports reads, as [reports] include has it: "**/*.sqlite".
  std::span<const std::string_view> globs = {};
  /// What a sentence expects: "exports of Nsight Systems (.sqlite)".
  std::string_view expected = {};
  std::string_view one = {};    ///< "an nsys export"
  std::string_view again = {};  ///< how to get one that is whole: "export it again"
};

/// How a profiler records what a profile lacks: a clause that ends a sentence which names what is missing.
struct CaptureAdvice {
  ColumnId column;           ///< a column, or a table by its own id
  std::string_view what;     ///< "operators"
  std::string_view command;  ///< "profile(record_shapes=True)"
};

/// What is said of a format: `assay describe` prints it.
struct FormatNotes {
  std::string_view version = {}, summary = {};
  std::span<const CaptureAdvice> captures = {};  ///< of tables and columns that its files may lack
  std::span<const FormatPart> reads = {}, passes_over = {};
  std::span<const ColumnId> fills = {};
  std::span<const TableSpec> tables = {};  ///< that it declares
  std::span<const RecorderSpec> recorders = {};
  std::string_view built_with = {};  ///< of a loaded one
  std::string_view file = {};        ///< the library; empty: linked in
};

/// What a file is that is named like one of a format, or holds a part of one, and is none.
struct Explanation {
  std::string problem;   ///< "This file is ..."; empty: nothing is wrong, another file is read in its place
  std::string remedy;    ///< what to do
  bool certain = false;  ///< no file of another tool looks so
};

/// One format.
class Format {
 public:
  FileKind kind;              ///< of a word that no other has
  std::string_view one_file;  ///< "nsys report": what one is called where files are counted
  FormatNames names;
  FormatNotes notes;
  bool beside = false;  ///< tables of its files join the profile of the same run, if there is one

  /// Whether a file is one, by what it holds: reads at most a few pages, never locks or changes the file.
  [[nodiscard]] virtual bool sniff(const Candidate& file) const = 0;
  /// Where one that `sniff` said to be one was made. Never fails and takes bounded time: what cannot be read is not
  /// there.
  [[nodiscard]] virtual Environment environment(const Candidate& file) const = 0;
  /// Reads the wanted columns of a file that `sniff` said to be one. Error, in one sentence: nothing of it can be read.
  [[nodiscard]] virtual Result<std::unique_ptr<Profile::Store>> load(const LoadRequest& request) const = 0;

  /// What a file is that no format reads; nothing: this format has nothing to say of it.
  [[nodiscard]] virtual std::optional<Explanation> explain(const Candidate&) const { return std::nullopt; }
  /// What the profiler's own rules say of the launches in a file.
  [[nodiscard]] virtual Result<std::vector<RuledLaunch>> rules(const std::filesystem::path&) const {
    return std::vector<RuledLaunch>();
  }
  /// Of counters: fills the tables of profiled launches and counters from files of the profile's run, and the kernels'
  /// column `profiled` if that is wanted. A file that cannot be read becomes an issue.
  virtual void join(Profile::Store& store, std::span<const std::filesystem::path> files, const WantedColumns& wanted) const;

 protected:
  constexpr Format(FileKind of, std::string_view one, const FormatNames& named, const FormatNotes& noted = {})
      : kind(of), one_file(one), names(named), notes(noted) {}
  ~Format() = default;
};

/// What only some have; null: the default of Format.
struct FormatHooks {
  std::optional<Explanation> (*explain)(const Candidate& file) = nullptr;
  Result<std::vector<RuledLaunch>> (*rules)(const std::filesystem::path& file) = nullptr;
  void (*join)(Profile::Store& store, std::span<const std::filesystem::path> files, const WantedColumns& wanted) = nullptr;
};

/// One that is part of the program.
class LinkedFormat final : public Format {
 public:
  using Sniff = bool (*)(const Candidate& file);
  using Identify = Environment (*)(const Candidate& file);
  using Load = Result<std::unique_ptr<Profile::Store>> (*)(const LoadRequest& request);
  constexpr LinkedFormat(FileKind of, std::string_view one, const FormatNames& named, Sniff sniffs, Identify identifies,
                         Load loads, const FormatNotes& noted = {}, FormatHooks hooks = {})
      : Format(of, one, named, noted), sniff_(sniffs), identify_(identifies), load_(loads), hooks_(hooks) {}

  [[nodiscard]] bool sniff(const Candidate& file) const override { return sniff_(file); }
  [[nodiscard]] Environment environment(const Candidate& file) const override { return identify_(file); }
  [[nodiscard]] Result<std::unique_ptr<Profile::Store>> load(const LoadRequest& request) const override;
  [[nodiscard]] std::optional<Explanation> explain(const Candidate& file) const override;
  [[nodiscard]] Result<std::vector<RuledLaunch>> rules(const std::filesystem::path& file) const override;
  void join(Profile::Store& store, std::span<const std::filesystem::path> files, const WantedColumns& wanted) const override;

 private:
  Sniff sniff_;
  Identify identify_;
  Load load_;
  FormatHooks hooks_;
};

/// Those that are part of the program, in the order in which they are asked.
std::span<const Format* const> linked_formats();

/// One of the sources that this program was built without.
struct LeftOutFormat {
  std::string_view word;
  std::span<const std::string_view> telling;  ///< as FormatNames::telling and raw
};
std::span<const LeftOutFormat> left_out_formats();

/// Adds a format behind all others, for the rest of the program; before any thread but the first is started.
void add_format(const Format& format);

/// All of them, in the order in which they are asked; the first that says yes reads the file.
std::span<const Format* const> formats();

/// The format that reads a file; null where none does.
const Format* format_of(const Candidate& file);
const Format* format_of(FileKind kind);
/// Opens the file; null also where that cannot be done.
const Format* format_of(const std::filesystem::path& file);
/// The format whose kind has this word; null: none.
const Format* format_named(std::string_view word);
/// What records files of any format, in the order of the formats.
std::vector<const RecorderSpec*> recorders();

}  // namespace assay::load
