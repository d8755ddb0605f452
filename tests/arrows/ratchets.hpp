// What the sources have too much of, counted. Each count is a link that no include shows, or a size.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay::test {

/// A source or header, taken apart.
struct SourceFile {
  std::string path;                   ///< from the top of the repository
  std::vector<std::string> lines;     ///< without comments
  std::vector<std::string> code;      ///< the same, with the insides of literals blanked
  std::vector<std::string> literals;  ///< texts, as they are written
};
SourceFile source_file(std::string path, std::string_view text);
/// Of all folders below the repository `root`, sorted by path.
std::vector<SourceFile> source_files(const std::string& root, const std::vector<std::string>& folders);

/// Names in literals: alone, in quotes or behind "analyzers.", and those that are no word of English (with a '_')
/// anywhere.
std::size_t analyzer_names(const SourceFile& file, const std::set<std::string>& names);
/// Every dotted id of literals in sources of analyzers, "gpu.busy_ratio".
std::set<std::string> metric_ids(const std::vector<SourceFile>& analyzers);
/// Those ids in literals, also inside longer ones.
std::size_t metric_names(const SourceFile& file, const std::set<std::string>& ids);
/// Formats by name: constants of FileKind, words and file name endings.
std::size_t format_names(const SourceFile& file);
/// Texts that name a format, its profiler or its files, also as a part of a longer word: "ncu_unused".
std::size_t format_words(const SourceFile& file);
/// A sentence for people (reason, doubt, title, message, error, estimate, ...) that is searched or cut.
std::size_t sentence_tests(const SourceFile& file);
/// Keys of [[claim]] that only the judge should know.
std::size_t claim_keys(const SourceFile& file);
/// Calls of a function.
std::size_t calls_of(const SourceFile& file, const std::string& name);
/// Functions of more than `most` lines, by the line of their first brace.
std::vector<std::string> functions_over(const SourceFile& file, std::size_t most);
/// Types and aliases named by a bare participle: Told, Made, Seen.
std::vector<std::string> participle_types(const SourceFile& file);
/// Functions and lambdas named by a verb that does not say what is done: take, put_all, tell_host, place.
std::vector<std::string> vague_functions(const SourceFile& file);

}  // namespace assay::test
