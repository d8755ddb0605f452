// The analyzer and report that each thread works on, for messages when a program ends unexpectedly or does not end.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

/// Marks this thread as running the analyzer while alive; `id` and `subject` (the report or question) must outlive it.
class CurrentAnalyzer {
 public:
  explicit CurrentAnalyzer(std::string_view id, std::string_view subject = {});
  ~CurrentAnalyzer();
  CurrentAnalyzer(const CurrentAnalyzer&) = delete;
  CurrentAnalyzer& operator=(const CurrentAnalyzer&) = delete;

  /// Of the calling thread; empty outside of analyzers.
  static std::string_view id();

  /// Writes "the analyzer 'ID' on SUBJECT" for the calling thread, shortened to fit, and returns its end; `to` if it
  /// runs none. This and describe_all neither allocate nor lock: signal handlers call them.
  static char* describe(char* to, char* end);
  /// Like describe, for every thread that runs an analyzer, up to `most`, separated by ", ".
  static char* describe_all(char* to, char* end, std::size_t most);

 private:
  std::string_view id_before_, subject_before_;
};

}  // namespace assay
