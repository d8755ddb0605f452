// Reads a TOML table key by key; a key that has not been read is unknown.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/question.hpp"
#include "config/toml_library.hpp"
#include "result.hpp"

namespace assay {

/// A mistake in a configuration file; its sentence begins with file:line:column. Caught in read_configs.
class ConfigMistake : public std::runtime_error {
 public:
  explicit ConfigMistake(Error error) : std::runtime_error(error.sentence), error_(std::move(error)) {}
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
};

/// Throws ConfigMistake. `remedy`: what to do, appended to the problem; `guess`: from did_you_mean.
[[noreturn]] void refuse(const SourcePos& pos, const std::string& problem, const std::string& remedy = {},
                         const std::string& guess = {});
/// Like refuse, with the reason why a value is invalid at the end of the problem.
[[noreturn]] void refuse_value(const SourcePos& pos, const std::string& problem, const Error& why);

/// "a text", "an integer", ... for messages.
std::string_view kind_of(const toml::node& node);

/// Plain values, or arrays of texts or numbers; refuses anything else, naming `what`.
RawValue raw_value(const toml::node& node, const SourcePos& pos, const std::string& what);

/// An integer, number, boolean or text as the text of a label value; refuses anything else.
std::string label_text(const toml::node& node, const SourcePos& pos, const std::string& what);

class Section {
 public:
  /// `title` names the table in messages: "[window]". `pos` applies if the table itself has no position in the file.
  Section(const toml::table& table, std::string title, SourcePos pos);

  [[nodiscard]] const SourcePos& pos() const { return pos_; }
  [[nodiscard]] const std::string& title() const { return title_; }
  /// Position of a key; of the table if the key is missing.
  [[nodiscard]] SourcePos pos(std::string_view key) const;

  /// Null if the key is missing. Marks the key as known.
  const toml::node* find(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  std::string required_text(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  std::optional<double> number(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  /// A text, or a list of one or more.
  std::vector<std::string> one_or_more_texts(std::string_view key);
  std::optional<Section> table(std::string_view key);
  std::vector<Section> tables(std::string_view key);

  struct Entry {
    std::string key;
    const toml::node* node;
    SourcePos pos;
  };
  /// All keys that have not been read, in file order; marks them as known.
  std::vector<Entry> rest();
  /// Refuses the first unknown key.
  void finish();

 private:
  [[nodiscard]] std::string name_of(std::string_view key) const { return title_ + " " + std::string(key); }
  [[noreturn]] void wrong_type(std::string_view key, const toml::node& node, std::string_view expected) const;

  const toml::table* table_;
  std::string title_;
  SourcePos pos_;
  std::vector<std::string> known_;
};

}  // namespace assay
