// Which analyzer a thread is in: asked when a program ends where it should not.
#pragma once

#include <string_view>

namespace assay {

/// This thread is in the analyzer for the life of the object; `id` outlives it.
class CurrentAnalyzer {
 public:
  explicit CurrentAnalyzer(std::string_view id);
  ~CurrentAnalyzer();
  CurrentAnalyzer(const CurrentAnalyzer&) = delete;
  CurrentAnalyzer& operator=(const CurrentAnalyzer&) = delete;

  /// Of the calling thread; empty outside of analyzers.
  static std::string_view id();

 private:
  std::string_view before_;
};

}  // namespace assay
