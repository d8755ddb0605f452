// Result<T>: a value, or the sentence that says why there is none. (C++20 has no std::expected.)
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay {

/// Exit codes of the program (docs/commands.md).
enum class Exit : int {
  kOk = 0,
  kRefuted = 1,    ///< with --gate: a claim was refuted
  kUsage = 2,      ///< bad usage or configuration, or an enabled plugin that cannot be loaded
  kFailed = 3,     ///< every report or every analyzer failed; with --strict: any of them
  kUndecided = 4,  ///< with --gate: a claim is undecided, or nothing could be judged
  kInterrupted = 130,
};

/// Code of an exit for programs: a contract, listed in docs/programs.md. "failed" for every exit without a code of its
/// own.
constexpr std::string_view code_of(Exit exit) {
  switch (exit) {
    case Exit::kOk:
      return "ok";
    case Exit::kRefuted:
      return "refuted";
    case Exit::kUsage:
      return "usage";
    case Exit::kUndecided:
      return "undecided";
    case Exit::kInterrupted:
      return "interrupted";
    case Exit::kFailed:
      break;
  }
  return "failed";
}

/// A failure. The sentence is for people; programs read the place, the remedy and the code:
/// Error{"'" + file + "' is a folder"}.at(file).advise("name the exports in it")
struct Error {
  std::string sentence;  ///< what, where, what was expected, what to do
  Exit exit = Exit::kUsage;
  std::string place = {};         ///< "q.toml:3:1", a file, an option or a name; empty: none
  std::string remedy = {};        ///< what to do, in the words of the sentence; empty: not stated
  std::vector<Error> parts = {};  ///< mistakes reported together, each on its own line of the sentence; empty: one
                                  ///< mistake

  [[nodiscard]] std::string_view code() const { return code_of(exit); }
  [[nodiscard]] Error at(std::string where) && {
    place = std::move(where);
    return std::move(*this);
  }
  /// Appends what to do to the sentence.
  [[nodiscard]] Error advise(const std::string& what) && {
    if (what.empty()) return std::move(*this);
    sentence += "; " + what;
    remedy = what;
    return std::move(*this);
  }
  /// Appends a sentence of its own, which starts with a blank: " Did you mean 'x'?". Empty: appends nothing.
  [[nodiscard]] Error suggest(const std::string& what) && {
    if (what.empty()) return std::move(*this);
    sentence += what;
    remedy = what.substr(1);
    return std::move(*this);
  }
  /// The same failure with `where` in front of its sentence, for a caller that knows more.
  [[nodiscard]] Error in(const std::string& where) const {
    Error error = *this;
    error.sentence = where + sentence;
    return error;
  }
  [[nodiscard]] Error as(Exit other) const {
    Error error = *this;
    error.exit = other;
    return error;
  }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit by design

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] T& value() { return std::get<T>(state_); }
  [[nodiscard]] const T& value() const { return std::get<T>(state_); }
  [[nodiscard]] const Error& error() const { return std::get<Error>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

/// A result without a value.
using Status = Result<std::monostate>;
inline Status ok() { return std::monostate{}; }

}  // namespace assay
