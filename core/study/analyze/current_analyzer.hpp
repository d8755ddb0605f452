// Which analyzer each thread is in, and on what: told when a program ends where it should not, or does not end.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

/// This thread is in the analyzer for the life of the object; `id` and `subject` (the report or question) outlive it.
class CurrentAnalyzer {
 public:
  explicit CurrentAnalyzer(std::string_view id, std::string_view subject = {});
  ~CurrentAnalyzer();
  CurrentAnalyzer(const CurrentAnalyzer&) = delete;
  CurrentAnalyzer& operator=(const CurrentAnalyzer&) = delete;

  /// Of the calling thread; empty outside of analyzers.
  static std::string_view id();

  /// Writes "the analyzer 'ID' on SUBJECT" of the calling thread, cut to fit, and returns its end; `to` where there is
  /// none. This and the next take neither memory nor locks: signal handlers call them.
  static char* describe(char* to, char* end);
  /// The same of every thread that is in one, up to `most`, separated by ", ".
  static char* describe_all(char* to, char* end, std::size_t most);

 private:
  std::string_view id_before_, subject_before_;
};

}  // namespace assay
