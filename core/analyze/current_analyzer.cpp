#include "analyze/current_analyzer.hpp"

#include <utility>

namespace assay {
namespace {

thread_local std::string_view current;

}  // namespace

CurrentAnalyzer::CurrentAnalyzer(std::string_view id) : before_(std::exchange(current, id)) {}
CurrentAnalyzer::~CurrentAnalyzer() { current = before_; }
std::string_view CurrentAnalyzer::id() { return current; }

}  // namespace assay
