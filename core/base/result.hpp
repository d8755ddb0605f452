// Result<T>: a value, or the one sentence that says why there is none. (C++20 has no std::expected.)
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace assay {

/// Exit codes of the program (architecture.md).
enum class Exit : int {
  kOk = 0,
  kRefuted = 1,  ///< with --gate: a claim was refuted
  kUsage = 2,    ///< bad usage or configuration, an enabled plugin that cannot be loaded
  kFailed = 3,   ///< every report or every analyzer failed; with --strict any
  kInterrupted = 130,
};

/// A failure told to the user: what, where, what was expected, what to do.
struct Error {
  std::string sentence;
  Exit exit = Exit::kUsage;
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
