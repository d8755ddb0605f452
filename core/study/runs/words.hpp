// Splits the words that differ between names into labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::naming {

/// A label made of words, with their position in each name.
struct WordLabel {
  bool flag = false;      ///< a word that is present or not: its value is "yes"
  bool optional = false;  ///< some names have no such word
  struct Place {
    std::size_t begin = 0, count = 0;  ///< words of the name; count 0: none
  };
  std::vector<Place> of_name;
};

/// `names`: the words of each name in one gap between fields that all names have. Words that vary together are one
/// label; a word that extends other names ("compiled" and "compiled max-autotune") is a separate option.
std::vector<WordLabel> word_labels_of(const std::vector<std::vector<std::string>>& names);

/// A valid label name made from a word: lower-case letters, digits and '_'; `otherwise` if nothing is left.
std::string label_name(std::string_view word, std::string_view otherwise);

/// "no_compile" and "compile": whether all values are words that enable or disable the next one.
bool says_of_next(const std::vector<std::string>& values);

/// Name of a label made of words: the constant word next to it, the kind of its values, or a word that all contain; a
/// `flag` is named by itself.
std::string name_of_words(const std::vector<std::string>& values, std::string_view in_front, std::string_view behind,
                          bool flag);

}  // namespace assay::naming
