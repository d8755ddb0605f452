// The fields of a file name: "bs8", "lr=1e-4", "2025-11-03T14-35-09", "bf16", "torch-compile".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::naming {

/// A piece of a name. "gpu0_512px" is word, number, separator, number, word. A time of day belongs to its date.
struct Token {
  enum class Kind { kWord, kNumber, kDate, kSeparator };
  Kind kind;
  std::string text;
};
std::vector<Token> tokens_of(std::string_view stem);

/// Key of the decimals of a time.
inline constexpr const char* kDecimals = "decimals";

/// A value inside a field: {"bs", "8"}.
struct FieldValue {
  std::string key;   ///< empty: the name does not say what it is
  std::string text;  ///< as written in the name
};

/// A part of a name between two separators. Its text is texts[0] values[0] texts[1] ... texts.back().
struct Field {
  enum class Kind {
    kWord,       ///< no value: "eager", "resnet50", "vit-b-32"
    kNumber,     ///< "bs8", "512px", "16x12x768", "b8s512"
    kText,       ///< "mode=eager"
    kDate,       ///< with or without a time of day
    kPrecision,  ///< "bf16"
    kFolder,     ///< the '/' between two folders
  };
  Kind kind = Kind::kWord;
  std::string before;  ///< the preceding separator
  std::vector<std::string> texts;
  std::vector<FieldValue> values;

  [[nodiscard]] std::string text() const;
  /// Equal for fields with the same words and kinds of values, whatever the values.
  [[nodiscard]] std::string shape() const;
};

/// The fields of every name; folders are separated by '/'. Whether a number has a key is decided over all names:
/// "resnet50" next to "vgg16" is a word, "width50" in every name is a number.
std::vector<std::vector<Field>> fields_of(const std::vector<std::string>& stems);

/// Whether a word begins with the name of a well-known model ("resnet50", "llama-2-7b").
bool names_a_model(std::string_view word);

/// Whether a word is a number format: "bf16", "tf32", "w4a16".
bool names_a_precision(std::string_view word);

}  // namespace assay::naming
