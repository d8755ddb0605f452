// Pickles as data, for the formats whose files are pickles: the opcodes of protocols 2 to 5 that build numbers, texts,
// tuples, lists and dicts. Opcodes that would import or call something are refused by name; nothing in a file is ever
// executed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "byte_source.hpp"
#include "interner.hpp"

namespace assay::pickles {

/// Why a file is not read: one sentence, without the name of the file.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Kind : std::uint8_t { kNone, kBoolean, kInteger, kReal, kText, kObject, kTuple, kList, kDict, kRecord };

struct Value {
  Kind kind = Kind::kNone;
  std::uint8_t type = 0;    ///< of a record: the type number given by its builder
  std::int64_t number = 0;  ///< a boolean or integer, the bits of a real, or the number of the text, object or record
};

class Pickle;

/// Turns containers into records while a pickle is read, so that millions of similar dicts do not have to be kept as
/// dicts.
class RecordBuilder {
 public:
  /// The record for a container (kTuple, kList or kDict) of these values; for a dict, keys alternate with values. Kind
  /// kNone: the container stays as it is.
  virtual Value build(Kind container, std::span<const Value> values, const Pickle& pickle) = 0;
  /// The record of a container with more values added to those of `record`.
  virtual Value extend(Value record, std::span<const Value> values, const Pickle& pickle) = 0;
  /// Memory held, bytes.
  [[nodiscard]] virtual std::size_t bytes() const = 0;

 protected:
  ~RecordBuilder() = default;
};

/// One pickle. A value of kind kObject is a container that may still grow: `resolve` returns its current state.
class Pickle {
 public:
  /// `most_bytes`: memory limit including the builder; a file that needs more is refused.
  Pickle(RecordBuilder& builder, std::size_t most_bytes) : builder_(builder), most_bytes_(most_bytes) {}

  /// Reads the top-level value. Throws Refusal. One pass, without recursion.
  Value read(ByteSource& source);

  [[nodiscard]] Value resolve(Value value) const {
    if (value.kind != Kind::kObject) return value;
    return unpacked(objects_[static_cast<std::size_t>(value.number)]);
  }
  /// Values of a resolved tuple, list or dict (keys alternating with values).
  [[nodiscard]] std::span<const Value> values(Value container) const {
    if (container.number == kEmpty) return {};
    return containers_[static_cast<std::size_t>(container.number)];
  }
  [[nodiscard]] std::string_view text(Value value) const {
    return value.kind == Kind::kText ? texts_.at(static_cast<std::uint32_t>(value.number)) : std::string_view();
  }
  /// After a Refusal: what was read before it. A container that was still open is followed by its values; a dict's keys
  /// alternate with them.
  [[nodiscard]] std::span<const Value> unfinished() const { return stack_; }
  Interner& texts() { return texts_; }
  [[nodiscard]] const Interner& texts() const { return texts_; }

 private:
  static constexpr std::uint64_t kLow = (std::uint64_t{1} << 56) - 1;
  static constexpr std::int64_t kEmpty = static_cast<std::int64_t>(kLow);  // container without values
  static constexpr std::size_t kMaxMarks = 256;                            // a snapshot nests 10 at a time

  static std::uint64_t packed(Value value) {
    return static_cast<std::uint64_t>(value.type) << 60 | static_cast<std::uint64_t>(value.kind) << 56 |
           (static_cast<std::uint64_t>(value.number) & kLow);
  }
  static Value unpacked(std::uint64_t value) {
    return {static_cast<Kind>(value >> 56 & 0xF), static_cast<std::uint8_t>(value >> 60),
            static_cast<std::int64_t>(value & kLow)};
  }

  // Each handles some of the opcodes; false: the opcode is not one of them. Throw on errors.
  bool read_scalar(std::uint8_t opcode, ByteSource& source);
  bool read_container(std::uint8_t opcode);
  template <class Number>
  Number number(ByteSource& source) const;
  bool check_protocol(std::uint8_t protocol) const;
  bool push(Kind kind, std::int64_t number);
  bool push_text(std::uint64_t length, ByteSource& source);
  bool push_long(std::uint64_t length, ByteSource& source);
  bool push_object(Kind kind);
  bool make_tuple(std::size_t size);
  /// Adds the values from `first` on to the container below them.
  bool fill(Kind container, std::size_t first);
  bool set_memo(std::uint64_t index);
  bool get(std::uint64_t index);
  std::int64_t keep(std::span<const Value> values);
  std::size_t pop_mark();
  Value& top();
  void check_memory() const;
  [[noreturn]] void refuse_opcode(std::uint8_t opcode, ByteSource& source) const;
  [[noreturn]] void refuse(const std::string& what) const;

  RecordBuilder& builder_;
  std::size_t most_bytes_;
  std::uint64_t position_ = 0;  // of the opcode
  Interner texts_;
  std::vector<Value> stack_;
  std::vector<std::size_t> marks_;
  std::vector<std::uint64_t> objects_;  // packed
  std::vector<std::vector<Value>> containers_;
  std::size_t contained_ = 0;        // values in containers_
  std::vector<std::uint64_t> memo_;  // packed
  std::vector<Value> wide_;          // memoized numbers that do not fit a memo entry
};

}  // namespace assay::pickles
