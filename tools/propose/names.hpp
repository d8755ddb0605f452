// What file names seem to mean: patterns and labels that explain all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/question.hpp"

namespace assay::init {

struct NameLabel {
  std::string name;
  LabelType type = LabelType::kText;
  bool descriptive = false;  ///< a number of repetition, a date: runs that differ in it alone are repeat runs
  bool rank = false;
  bool listed = false;              ///< its values are written down: the pattern takes nothing else in its place
  std::string otherwise = {};       ///< value of names that do not give one; empty: none
  std::vector<std::string> values;  ///< that names have, numbers by size, each once
};

/// What explains all names. No pattern: nothing tells them apart, or nothing explains them.
struct NameRules {
  std::vector<std::string> patterns;
  std::vector<NameLabel> labels;
  std::vector<std::map<std::string, std::string>> of_stem;  ///< label, value; of each stem
};

/// Proposes what stems mean; folders in front of a name are separated by '/'. Fields that are the same in all names are
/// literal, numbers are labels called by the word beside them, words that differ are labels, and what some names lack
/// has a default. Never fails: names without structure are one label, the whole name.
NameRules rules_of(const std::vector<std::string>& stems);

/// Every name is a value of the one label `run`, which only describes where there are many.
NameRules whole_names(const std::vector<std::string>& stems);

/// The stems with the folders in front of them that tell them apart, as many for each; the last component alone where
/// folders tell nothing. `paths` are below one folder, without extensions.
std::vector<std::string> with_telling_folders(const std::vector<std::string>& paths);

/// Labels that differ between ranks of one job describe: they say nothing of the run. `jobs[i]`: name of the job of a
/// stem; empty: of none.
void describe_ranks(NameRules& rules, const std::vector<std::string>& jobs);

/// Runs that differ only in labels that describe are repeat runs, which no two different programs can be: where
/// `program[i]` (one text per stem, empty: unknown) differs within such a group, the labels that vary in it tell runs
/// apart. True where in some group none does, so that names cannot tell these runs apart.
bool split_by_program(NameRules& rules, const std::vector<std::string>& programs);

}  // namespace assay::init
