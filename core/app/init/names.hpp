// What file names seem to mean: patterns and labels that explain all of them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/question.hpp"

namespace assay::init {

/// A piece of a name. "gpu0_512px" is word, number, separator, number, word.
struct Token {
  enum class Kind { kWord, kNumber, kDate, kSeparator };
  Kind kind;
  std::string text;
};
std::vector<Token> tokens_of(std::string_view stem);

struct NameLabel {
  std::string name;
  LabelType type = LabelType::kText;
  bool descriptive = false;  ///< a number of repetition, a date: runs that differ in it alone are replicates
  bool rank = false;
  bool listed = false;              ///< its values are written down: nothing else may stand there
  std::string otherwise = {};       ///< value of names that do not say; empty: none
  std::vector<std::string> values;  ///< that names have, numbers by size, each once
};

struct NameSuffix {
  std::string match;                                          ///< "_batch{batch}", "_compiled"
  std::vector<std::pair<std::string, std::string>> set = {};  ///< label, value
};

/// What explains all names. No pattern: they have nothing that tells them apart, or nothing explains them.
struct NameRules {
  std::vector<std::string> patterns;
  std::vector<NameSuffix> suffixes;
  std::vector<NameLabel> labels;
  std::vector<std::map<std::string, std::string>> of_stem;  ///< label, value; of each stem
};

/// Proposes what stems mean: equal words are literal, numbers are labels called by the word beside them, words that
/// differ are labels. Never fails: what has no structure is one label, the whole name.
NameRules rules_of(const std::vector<std::string>& stems);

/// Every name is a value of the one label `run`, which only describes where there are many.
NameRules whole_names(const std::vector<std::string>& stems);

}  // namespace assay::init
