// The apparent meaning of file names: patterns and labels that explain all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/question.hpp"

namespace assay::init {

struct NameLabel {
  std::string name;
  LabelType type = LabelType::kText;
  bool descriptive = false;  ///< a repetition number or a date: runs that differ only in it are repeat runs
  bool rank = false;
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

/// Marks labels that differ between ranks of one job as descriptive, since they are not a property of the run.
/// `jobs[i]`: name of the job of a stem; empty: none.
void describe_ranks(NameRules& rules, const std::vector<std::string>& jobs);

/// Runs that differ only in descriptive labels are repeat runs, which different programs cannot be: if `program[i]`
/// (one text per stem, empty: unknown) differs within such a group, the labels that vary in it become distinguishing.
/// True if in some group none varies, so that names cannot distinguish these runs.
bool split_by_program(NameRules& rules, const std::vector<std::string>& programs);

}  // namespace assay::init
