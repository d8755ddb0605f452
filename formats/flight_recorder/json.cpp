#include "json.hpp"

#include <bit>
#include <nlohmann/json.hpp>

namespace assay::flight_recorder {
namespace {

template <class Number>
std::string little_endian(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

/// Writes opcodes of protocol 2 as the parser meets values.
class Opcodes : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::string bytes = "\x80\x02";
  std::size_t damaged_at = std::string::npos;

  bool null() override { return append("N"); }
  bool boolean(bool value) override { return append(value ? "\x88" : "\x89"); }
  bool number_integer(std::int64_t value) override { return append("\x8a\x08" + little_endian(value)); }
  bool number_unsigned(std::uint64_t value) override {
    return value >> 63U == 0 ? number_integer(static_cast<std::int64_t>(value)) : null();
  }
  bool number_float(double value, const std::string& /*text*/) override {
    return append("G" + little_endian(__builtin_bswap64(std::bit_cast<std::uint64_t>(value))));
  }
  bool string(std::string& value) override {
    return append("X" + little_endian(static_cast<std::uint32_t>(value.size())) + value);
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return append("}("); }
  bool key(std::string& name) override { return string(name); }
  bool end_object() override { return append("u"); }
  bool start_array(std::size_t /*size*/) override { return append("]("); }
  bool end_array() override { return append("e"); }
  bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::json::exception&) override {
    damaged_at = position;
    return false;
  }

 private:
  bool append(std::string_view opcode) {
    bytes += opcode;
    return true;
  }
};

}  // namespace

PickledJson pickle_of(std::string_view json) {
  Opcodes opcodes;
  if (nlohmann::json::sax_parse(json, &opcodes)) opcodes.bytes += '.';
  return {std::move(opcodes.bytes), opcodes.damaged_at};
}

}  // namespace assay::flight_recorder
