// The apparent meaning of file names: patterns and labels that explain all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/question.hpp"

namespace assay::naming {

struct NameLabel {
  std::string name;
  LabelType type = LabelType::kText;
  bool descriptive = false;  ///< a repetition number or a date: runs that differ only in it are repeat runs
  bool rank = false;
  bool time = false;                ///< when: it orders runs and distinguishes none
  bool listed = false;              ///< its values are listed: the pattern accepts no others
  std::string otherwise = {};       ///< value of names that omit it; empty: none
  std::vector<std::string> values;  ///< occurring in names, sorted by size if numeric, without duplicates
};

/// An explanation of all names. Without patterns: nothing distinguishes or explains them.
struct NameRules {
  std::vector<std::string> patterns;
  std::vector<NameLabel> labels;
  std::vector<std::map<std::string, std::string>> of_stem;  ///< label -> value, for each stem
};

/// Proposes the meaning of stems; folders before a name are separated by '/'. Fields that are equal in all names are
/// literal, numbers become labels named by the adjacent word, differing words become labels, and fields missing in some
/// names get a default. Never fails: names without structure become one label, the whole name.
NameRules rules_of(const std::vector<std::string>& stems);

/// Every name is a value of the single label `run`, which is descriptive if there are many.
NameRules whole_names(const std::vector<std::string>& stems);

/// The stems with the preceding folders that distinguish them, equally many for each; only the last component if
/// folders distinguish nothing. `paths` are below one folder, without extensions.
std::vector<std::string> with_telling_folders(const std::vector<std::string>& paths);

}  // namespace assay::naming
