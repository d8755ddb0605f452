// The words of names that are not the same in all of them, taken apart into labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::init {

/// One label that words stand for: where its words are in each name.
struct WordLabel {
  bool flag = false;      ///< a word that is there or not: its value is "yes"
  bool optional = false;  ///< some names have no such word
  struct Place {
    std::size_t begin = 0, count = 0;  ///< words of the name; count 0: none
  };
  std::vector<Place> of_name;
};

/// `names`: the words of each name in one gap between fields that all have. Words that vary together are one label; a
/// word that follows what other names end with ("compiled" and "compiled max-autotune") is an option of its own.
std::vector<WordLabel> word_labels_of(const std::vector<std::vector<std::string>>& names);

/// A name that a label may have, made of a word: small letters, digits and '_'; `otherwise` where nothing is left of
/// it.
std::string label_name(std::string_view word, std::string_view otherwise);

/// "no_compile" and "compile": whether all values are words that say of the next one whether it holds.
bool says_of_next(const std::vector<std::string>& values);

/// What a label of words is called: by the constant word beside it, by what its values are, or by a word that all hold;
/// a `flag` by itself.
std::string name_of_words(const std::vector<std::string>& values, std::string_view in_front, std::string_view behind,
                          bool flag);

}  // namespace assay::init
