#include "pickle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <utility>

namespace assay::pickles {
namespace {

constexpr std::uint64_t kNeverPut = ~std::uint64_t{0};
constexpr std::uint8_t kWide = 15;              // type of a memoized number that is stored in `wide_`
constexpr std::uint64_t kMaxHoles = 1U << 20U;  // largest gap a memo number may leave after the last one
constexpr std::uint8_t kStop = '.';

struct NamedOpcode {
  std::uint8_t code;
  const char* name;
};

/// Opcodes that import, call or fetch something from outside the file.
// clang-format off
constexpr auto kCalls = std::to_array<NamedOpcode>({
    {'c', "GLOBAL"}, {0x93, "STACK_GLOBAL"}, {'R', "REDUCE"}, {'b', "BUILD"}, {'i', "INST"}, {'o', "OBJ"},
    {0x81, "NEWOBJ"}, {0x92, "NEWOBJ_EX"}, {0x82, "EXT1"}, {0x83, "EXT2"}, {0x84, "EXT4"}, {'P', "PERSID"},
    {'Q', "BINPERSID"}, {0x97, "NEXT_BUFFER"}, {0x98, "READONLY_BUFFER"}});
// clang-format on

/// The name of a module and its member, made safe to print.
std::string printable(std::string_view text) {
  constexpr std::size_t kMax = 80;
  std::string shown(text.substr(0, kMax));
  std::ranges::replace_if(shown, [](char c) { return c < ' ' || c > '~'; }, '.');
  return shown;
}

}  // namespace

Value Pickle::read(ByteSource& source) {
  if (source.has(1) && (*source.peek() == '(' || *source.peek() == '}'))
    refuse("has protocol 0 or 1; expected 2 to 5, as pickle.dump writes");
  for (;;) {
    position_ = source.position();
    if (!source.has(1)) refuse("ends before its last opcode (STOP)");
    const std::uint8_t opcode = *source.read_bytes(1);
    if (opcode == kStop) break;
    if (!read_scalar(opcode, source) && !read_container(opcode)) refuse_opcode(opcode, source);
    if (source.moved()) check_memory();
  }
  if (stack_.size() != 1 || !marks_.empty()) refuse("ends with values that belong to nothing");
  return stack_.front();
}

bool Pickle::read_scalar(std::uint8_t opcode, ByteSource& source) {
  switch (opcode) {
    case 'h':  // BINGET
      return get(number<std::uint8_t>(source));
    case 'j':  // LONG_BINGET
      return get(number<std::uint32_t>(source));
    case 'q':  // BINPUT
      return set_memo(number<std::uint8_t>(source));
    case 'r':  // LONG_BINPUT
      return set_memo(number<std::uint32_t>(source));
    case 'K':  // BININT1
      return push(Kind::kInteger, number<std::uint8_t>(source));
    case 'M':  // BININT2
      return push(Kind::kInteger, number<std::uint16_t>(source));
    case 'J':  // BININT
      return push(Kind::kInteger, number<std::int32_t>(source));
    case 0x8A:  // LONG1
      return push_long(number<std::uint8_t>(source), source);
    case 0x8B:  // LONG4
      return push_long(number<std::uint32_t>(source), source);
    case 'G':  // BINFLOAT, big-endian
      return push(Kind::kReal, static_cast<std::int64_t>(__builtin_bswap64(number<std::uint64_t>(source))));
    case 0x8C:  // SHORT_BINUNICODE
    case 'C':   // SHORT_BINBYTES
      return push_text(number<std::uint8_t>(source), source);
    case 'X':  // BINUNICODE
    case 'B':  // BINBYTES
      return push_text(number<std::uint32_t>(source), source);
    case 0x8D:  // BINUNICODE8
    case 0x8E:  // BINBYTES8
    case 0x96:  // BYTEARRAY8
      return push_text(number<std::uint64_t>(source), source);
    case 0x80:  // PROTO
      return check_protocol(number<std::uint8_t>(source));
    case 0x95:  // FRAME: a hint for buffering readers
      number<std::uint64_t>(source);
      return true;
    default:
      return false;
  }
}

bool Pickle::read_container(std::uint8_t opcode) {
  switch (opcode) {
    case 0x94:  // MEMOIZE
      return set_memo(memo_.size());
    case '(':  // MARK
      if (marks_.size() == kMaxMarks) refuse("nests deeper than " + std::to_string(kMaxMarks) + " containers");
      marks_.push_back(stack_.size());
      return true;
    case '}':  // EMPTY_DICT
      return push_object(Kind::kDict);
    case ']':  // EMPTY_LIST
      return push_object(Kind::kList);
    case ')':  // EMPTY_TUPLE
      return make_tuple(0);
    case 0x85:  // TUPLE1, TUPLE2, TUPLE3
    case 0x86:
    case 0x87:
      return make_tuple(opcode - 0x84U);
    case 't':  // TUPLE
      return make_tuple(stack_.size() - pop_mark());
    case 's':  // SETITEM
      return fill(Kind::kDict, std::max<std::size_t>(stack_.size(), 2) - 2);
    case 'u':  // SETITEMS
      return fill(Kind::kDict, pop_mark());
    case 'a':  // APPEND
      return fill(Kind::kList, std::max<std::size_t>(stack_.size(), 1) - 1);
    case 'e':  // APPENDS
      return fill(Kind::kList, pop_mark());
    case 'N':
      return push(Kind::kNone, 0);
    case 0x88:  // NEWTRUE, NEWFALSE
    case 0x89:
      return push(Kind::kBoolean, opcode == 0x88);
    case '0':  // POP
      top();
      stack_.pop_back();
      return true;
    case '1':  // POP_MARK
      stack_.resize(pop_mark());
      return true;
    default:
      return false;
  }
}

template <class Number>
Number Pickle::number(ByteSource& source) const {
  if (!source.has(sizeof(Number))) refuse("ends within an opcode");
  return source.number<Number>();
}

bool Pickle::check_protocol(std::uint8_t protocol) const {
  if (protocol < 2 || protocol > 5)
    refuse("has protocol " + std::to_string(protocol) + "; expected 2 to 5, as pickle.dump writes");
  return true;
}

bool Pickle::push(Kind kind, std::int64_t number) {
  stack_.push_back({kind, 0, number});
  return true;
}

bool Pickle::push_text(std::uint64_t length, ByteSource& source) {
  if (!source.has(length)) refuse("ends within a text");
  const auto* bytes = reinterpret_cast<const char*>(source.read_bytes(length));
  return push(Kind::kText, texts_.intern({bytes, length}));
}

bool Pickle::push_long(std::uint64_t length, ByteSource& source) {
  if (!source.has(length)) refuse("ends within a number");
  const std::uint8_t* bytes = source.read_bytes(length);
  constexpr std::size_t kWord = 8;
  if (length > kWord + 1 || (length == kWord + 1 && bytes[kWord] != 0)) refuse("has a number of more than 64 bits");
  std::uint64_t value = length > 0 && length <= kWord && bytes[length - 1] >= 0x80 ? ~std::uint64_t{0} : 0;
  std::memcpy(&value, bytes, static_cast<std::size_t>(std::min<std::uint64_t>(length, kWord)));
  return push(Kind::kInteger, static_cast<std::int64_t>(value));
}

bool Pickle::push_object(Kind kind) {
  objects_.push_back(packed({kind, 0, kEmpty}));
  return push(Kind::kObject, static_cast<std::int64_t>(objects_.size() - 1));
}

bool Pickle::make_tuple(std::size_t size) {
  if (size > stack_.size() - (marks_.empty() ? 0 : marks_.back())) refuse("has a tuple of values that are not there");
  const std::span<const Value> values = std::span(stack_).last(size);
  Value tuple = builder_.build(Kind::kTuple, values, *this);
  if (tuple.kind == Kind::kNone) tuple = {Kind::kTuple, 0, size == 0 ? kEmpty : keep(values)};
  stack_.resize(stack_.size() - size);
  stack_.push_back(tuple);
  return true;
}

std::int64_t Pickle::keep(std::span<const Value> values) {
  containers_.emplace_back(values.begin(), values.end());
  contained_ += values.size();
  return static_cast<std::int64_t>(containers_.size() - 1);
}

std::size_t Pickle::pop_mark() {
  if (marks_.empty()) refuse("closes a container that it did not open");
  const std::size_t first = marks_.back();
  marks_.pop_back();
  if (first > stack_.size()) refuse("takes away what a container was to hold");
  return first;
}

bool Pickle::fill(Kind container, std::size_t first) {
  const std::size_t bottom = marks_.empty() ? 0 : marks_.back();
  if (first <= bottom || first > stack_.size()) refuse("fills a container that is not there");
  const Value target = stack_[first - 1];
  const std::span<const Value> values = std::span(stack_).subspan(first);
  const Value now = resolve(target);
  const bool is_dict = container == Kind::kDict;
  if (target.kind != Kind::kObject || (now.kind != container && now.kind != Kind::kRecord) ||
      (is_dict && values.size() % 2 != 0))
    refuse(std::string("fills something that is not a ") + (is_dict ? "dict" : "list"));
  auto& object = objects_[static_cast<std::size_t>(target.number)];
  if (now.kind == Kind::kRecord) {
    object = packed(builder_.extend(now, values, *this));
  } else if (now.number != kEmpty) {
    auto& kept = containers_[static_cast<std::size_t>(now.number)];
    kept.insert(kept.end(), values.begin(), values.end());
    contained_ += values.size();
  } else if (!values.empty()) {
    const Value record = builder_.build(container, values, *this);
    object = packed(record.kind == Kind::kNone ? Value{container, 0, keep(values)} : record);
  }
  stack_.resize(first);
  return true;
}

Value& Pickle::top() {
  if (stack_.empty() || (!marks_.empty() && marks_.back() == stack_.size())) refuse("uses a value that is not there");
  return stack_.back();
}

bool Pickle::set_memo(std::uint64_t index) {
  const Value value = top();
  if (index >= memo_.size()) {
    if (index - memo_.size() >= kMaxHoles) refuse("numbers its memo out of order");
    const bool holes = index > memo_.size();
    memo_.resize(index + 1, kNeverPut);
    if (holes) check_memory();
  }
  const bool wide = value.kind == Kind::kInteger || value.kind == Kind::kReal;
  if (wide) wide_.push_back(value);
  memo_[index] = packed(wide ? Value{Kind::kNone, kWide, static_cast<std::int64_t>(wide_.size() - 1)} : value);
  return true;
}

bool Pickle::get(std::uint64_t index) {
  if (index >= memo_.size() || memo_[index] == kNeverPut)
    refuse("uses number " + std::to_string(index) + " of its memo, which it never put there");
  const Value value = unpacked(memo_[index]);
  const bool wide = value.kind == Kind::kNone && value.type == kWide;
  stack_.push_back(wide ? wide_[static_cast<std::size_t>(value.number)] : value);
  return true;
}

void Pickle::check_memory() const {
  const std::size_t held = (stack_.capacity() + contained_ + wide_.capacity()) * sizeof(Value) +
                           (objects_.capacity() + memo_.capacity()) * sizeof(std::uint64_t) +
                           containers_.capacity() * sizeof(std::vector<Value>) + texts_.bytes() + builder_.bytes();
  if (held > most_bytes_) refuse("would need more than " + std::to_string(most_bytes_ >> 20U) + " MiB of memory");
}

void Pickle::refuse_opcode(std::uint8_t opcode, ByteSource& source) const {
  const auto* call = std::ranges::find(kCalls, opcode, &NamedOpcode::code);
  if (call == kCalls.end()) {
    std::array<char, 8> code{};
    std::snprintf(code.data(), code.size(), "0x%02X", static_cast<unsigned>(opcode));
    refuse(std::string("has the opcode ") + code.data() + ", which builds no data in protocols 2 to 5");
  }
  std::string name = call->name;
  if (opcode == 'c' || opcode == 'i') {  // followed by "module\nmember\n"
    std::size_t size = 0;
    for (int lines = 0; lines < 2 && size < 100 && source.has(size + 1); ++size) lines += source.peek()[size] == '\n';
    name += " " + printable({reinterpret_cast<const char*>(source.peek()), size});
  } else if (opcode == 0x93 && stack_.size() >= 2) {
    name += " " + printable(text(stack_[stack_.size() - 2])) + "." + printable(text(stack_.back()));
  }
  refuse("asks to import or call something (" + name + "), which is never done");
}

void Pickle::refuse(const std::string& what) const {
  throw Refusal("byte " + std::to_string(position_) + ": the pickle " + what);
}

}  // namespace assay::pickles
