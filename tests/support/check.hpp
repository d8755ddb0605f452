// What EXPECT_TRUE and EXPECT_FALSE ask of texts and ranges; a failure shows them. Matchers of gmock took a quarter of
// the build of the tests: each container and number of elements instantiates its own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {

using Check = ::testing::AssertionResult;

Check contains(std::string_view text, std::string_view part);
Check contains_all(std::string_view text, std::initializer_list<std::string_view> parts);
Check starts_with(std::string_view text, std::string_view part);
/// Whether a sentence begins with its place, and has all of the parts.
Check says(std::string_view sentence, std::string_view place, std::initializer_list<std::string_view> parts);
Check ends_with(std::string_view text, std::string_view part);
/// `pattern` is an extended regular expression of POSIX; matches_regex wants all of the text to match.
Check contains_regex(std::string_view text, const std::string& pattern);
Check matches_regex(std::string_view text, const std::string& pattern);

namespace support {

using Texts = std::vector<std::string_view>;

template <class Range>
using Element = std::remove_cvref_t<decltype(*std::begin(std::declval<const Range&>()))>;
template <class Range>
concept OfTexts = std::convertible_to<const Element<Range>&, std::string_view> &&
                  !std::convertible_to<const Range&, std::string_view>;

template <OfTexts Range>
Texts texts(const Range& range) {
  return Texts(std::begin(range), std::end(range));
}
template <class Range>
std::string shown(const Range& range) {
  std::string out;
  for (const auto& element : range) out += (out.empty() ? "" : ", ") + ::testing::PrintToString(element);
  return "{" + out + "}";
}
Check equal(const Texts& actual, const Texts& expected);
Check permuted(const Texts& actual, const Texts& expected);
/// Each element contains the part at its place.
Check each_contains(const Texts& actual, const Texts& parts);
/// Whether one element is `text`, or contains it.
Check one_is(const Texts& actual, std::string_view text);
Check one_contains(const Texts& actual, std::string_view part);
Check sized(bool fits, std::size_t size, const std::string& shown);

}  // namespace support

template <support::OfTexts Range>
Check equals(const Range& actual, std::initializer_list<std::string_view> expected) {
  return support::equal(support::texts(actual), expected);
}
template <class Range>
  requires(!support::OfTexts<Range>)
Check equals(const Range& actual, std::initializer_list<support::Element<Range>> expected) {
  if (std::equal(std::begin(actual), std::end(actual), expected.begin(), expected.end()))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << support::shown(actual) << " in the place of " << support::shown(expected);
}

/// As `equals`, in any order.
template <support::OfTexts Range>
Check permutes(const Range& actual, std::initializer_list<std::string_view> expected) {
  return support::permuted(support::texts(actual), expected);
}
template <class Range>
  requires(!support::OfTexts<Range>)
Check permutes(const Range& actual, std::initializer_list<support::Element<Range>> expected) {
  return Check(std::is_permutation(std::begin(actual), std::end(actual), expected.begin(), expected.end()))
         << support::shown(actual) << " in the place of " << support::shown(expected);
}

/// As many numbers as expected, each at most `error` off.
template <class Range>
Check near(const Range& actual, std::initializer_list<double> expected, double error) {
  const auto close = [error](double a, double b) { return std::abs(a - b) <= error; };
  if (std::equal(std::begin(actual), std::end(actual), expected.begin(), expected.end(), close))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << support::shown(actual) << " in the place of " << support::shown(expected);
}

template <support::OfTexts Range>
Check each_contains(const Range& actual, std::initializer_list<std::string_view> parts) {
  return support::each_contains(support::texts(actual), parts);
}
template <support::OfTexts Range>
Check one_contains(const Range& actual, std::string_view part) {
  return support::one_contains(support::texts(actual), part);
}
template <support::OfTexts Range>
Check one_contains_regex(const Range& actual, const std::string& pattern) {
  return Check(std::any_of(std::begin(actual), std::end(actual),
                           [&](std::string_view text) { return contains_regex(text, pattern); }))
         << support::shown(actual);
}
/// Whether the range has the element.
template <support::OfTexts Range>
Check includes(const Range& actual, std::string_view element) {
  return support::one_is(support::texts(actual), element);
}
template <class Range>
  requires(!support::OfTexts<Range>)
Check includes(const Range& actual, const std::type_identity_t<support::Element<Range>>& element) {
  return Check(std::find(std::begin(actual), std::end(actual), element) != std::end(actual)) << support::shown(actual);
}
/// Whether the range has every one of the elements.
template <class Range>
Check includes_all(const Range& actual, std::initializer_list<std::type_identity_t<support::Element<Range>>> elements) {
  for (const auto& element : elements) {
    if (Check has = includes(actual, element); !has) return has << " has no " << ::testing::PrintToString(element);
  }
  return ::testing::AssertionSuccess();
}
/// Whether the range has one text alone, and all of the parts are in it.
template <support::OfTexts Range>
Check is_one_with(const Range& actual, std::initializer_list<std::string_view> parts) {
  const auto all = support::texts(actual);
  return all.size() == 1 ? contains_all(all.front(), parts) : Check(false) << support::shown(actual);
}
/// Whether a range of pairs has a pair with the key.
template <class Range>
Check includes_key(const Range& actual, std::string_view key) {
  return Check(std::any_of(std::begin(actual), std::end(actual), [&](const auto& pair) { return pair.first == key; }))
         << support::shown(actual);
}

/// `size()` of a range or text, which a failure shows.
template <class Range>
Check size_is(const Range& range, std::size_t size) {
  const auto actual = static_cast<std::size_t>(std::distance(std::begin(range), std::end(range)));
  std::string shown;
  if constexpr (std::convertible_to<const Range&, std::string_view>) {
    shown = '"' + std::string(std::string_view(range)) + '"';
  } else if constexpr (support::OfTexts<Range> || std::is_arithmetic_v<support::Element<Range>>) {
    shown = support::shown(range);
  }
  return support::sized(actual == size, actual, shown);
}
template <class Range>
Check is_empty(const Range& range) {
  return size_is(range, 0);
}

/// Whether a recorder has the facts: "metric", or "metric{dims}", and its value.
template <class Recorder>
Check has_values(const Recorder& recorder, std::initializer_list<std::pair<std::string_view, double>> facts) {
  std::string others;
  for (const auto& [name, expected] : facts) {
    const std::size_t dims = std::min(name.find('{'), name.size());
    const std::string_view of = dims < name.size() ? name.substr(dims + 1, name.size() - dims - 2) : "";
    const auto value = recorder.value(name.substr(0, dims), of);
    if (value != expected)
      others += std::string(name) + " is " + ::testing::PrintToString(value) + " in the place of " +
                ::testing::PrintToString(expected) + "\n";
  }
  return Check(others.empty()) << others;
}

/// A Result that a test needs: a failure ends it with the sentence.
template <class Result>
Result require(Result result) {
  if (!result) throw std::runtime_error(result.error().sentence);
  return result;
}

}  // namespace assay
