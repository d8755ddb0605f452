// Spans in EXPECT_THAT: gmock 1.11 (Ubuntu 22.04) takes containers with a const_iterator only, which std::span has from
// C++23 on.
#pragma once

#include <type_traits>
#include <vector>

namespace assay {

/// The elements of a span, to be compared by ElementsAre and its like.
template <class Span>
auto copied(const Span& span) {
  return std::vector<std::remove_cv_t<typename Span::value_type>>(span.begin(), span.end());
}

}  // namespace assay
