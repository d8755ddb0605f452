#include "check.hpp"

#include <regex.h>

namespace assay {
namespace {

Check result(bool holds, std::string_view text) { return Check(holds) << "in the text\n" << text; }

Check regex(std::string_view text, const std::string& pattern, const std::string& whole) {
  regex_t compiled;
  if (regcomp(&compiled, whole.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
    return ::testing::AssertionFailure() << "not a regular expression: " << pattern;
  const bool found = regexec(&compiled, std::string(text).c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return Check(found) << "/" << pattern << "/ in the text\n" << text;
}

}  // namespace

Check contains(std::string_view text, std::string_view part) { return result(text.find(part) != text.npos, text); }

Check contains_all(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (text.find(part) == text.npos)
      return ::testing::AssertionFailure() << "no \"" << part << "\" in the text\n" << text;
  }
  return result(true, text);
}

Check starts_with(std::string_view text, std::string_view part) { return result(text.starts_with(part), text); }
Check says(std::string_view sentence, std::string_view place, std::initializer_list<std::string_view> parts) {
  return sentence.starts_with(place) ? contains_all(sentence, parts) : starts_with(sentence, place);
}
Check ends_with(std::string_view text, std::string_view part) { return result(text.ends_with(part), text); }
Check contains_regex(std::string_view text, const std::string& pattern) { return regex(text, pattern, pattern); }
Check matches_regex(std::string_view text, const std::string& pattern) {
  return regex(text, pattern, "^(" + pattern + ")$");
}

namespace support {

Check equal(const Texts& actual, const Texts& expected) {
  if (actual == expected) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << shown(actual) << "\nin the place of\n" << shown(expected);
}

Check permuted(const Texts& actual, const Texts& expected) {
  Texts one = actual, two = expected;
  std::sort(one.begin(), one.end());
  std::sort(two.begin(), two.end());
  return equal(one, two);
}

Check each_contains(const Texts& actual, const Texts& parts) {
  const bool all =
      std::equal(actual.begin(), actual.end(), parts.begin(), parts.end(),
                 [](std::string_view text, std::string_view part) { return text.find(part) != text.npos; });
  if (all) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << shown(actual) << "\ndo not contain, one by one,\n" << shown(parts);
}

Check one_is(const Texts& actual, std::string_view text) {
  return Check(std::find(actual.begin(), actual.end(), text) != actual.end()) << shown(actual);
}

Check one_contains(const Texts& actual, std::string_view part) {
  const auto has = [part](std::string_view text) { return text.find(part) != text.npos; };
  return Check(std::any_of(actual.begin(), actual.end(), has)) << shown(actual);
}

Check sized(bool fits, std::size_t size, const std::string& shown) {
  return Check(fits) << "size " << size << " " << shown;
}

}  // namespace support
}  // namespace assay
