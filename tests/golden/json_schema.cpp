#include "json_schema.hpp"

#include <algorithm>
#include <set>

namespace assay::testing {
namespace {

using Json = nlohmann::json;

class Checker {
 public:
  explicit Checker(const Json& root) : root_(root) {}

  void check(const Json& schema, const Json& value, const std::string& path) {
    static const std::set<std::string> known = {
        "$schema", "$id",      "$defs",    "$ref",     "title",      "description",
        "type",    "enum",     "const",    "required", "properties", "additionalProperties",
        "items",   "minItems", "maxItems", "minimum",  "maximum",    "anyOf"};
    for (const auto& [keyword, unused] : schema.items()) {
      if (!known.contains(keyword)) complain(path, "unknown keyword " + keyword);
    }
    if (schema.contains("$ref")) check(resolve(schema["$ref"]), value, path);
    if (schema.contains("type") && !has_type(schema["type"], value))
      return complain(path, "is not of type " + schema["type"].dump());
    if (schema.contains("const") && value != schema["const"]) complain(path, "is not " + schema["const"].dump());
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
      complain(path, "is none of " + schema["enum"].dump());
    }
    if (schema.contains("anyOf")) check_any(schema["anyOf"], value, path);
    if (value.is_object()) check_object(schema, value, path);
    if (value.is_array()) check_array(schema, value, path);
    if (value.is_number()) {
      if (schema.contains("minimum") && value < schema["minimum"]) complain(path, "is too small");
      if (schema.contains("maximum") && value > schema["maximum"]) complain(path, "is too large");
    }
  }

  std::vector<std::string> violations;

 private:
  void complain(const std::string& path, const std::string& what) { violations.push_back(path + ": " + what); }

  const Json& resolve(const std::string& reference) const {
    return root_.at(Json::json_pointer(reference.substr(reference.find('#') + 1)));
  }

  static bool has_type(const Json& type, const Json& value) {
    if (type.is_array())
      return std::any_of(type.begin(), type.end(), [&](const Json& t) { return has_type(t, value); });
    const std::string name = type;
    return (name == "object" && value.is_object()) || (name == "array" && value.is_array()) ||
           (name == "string" && value.is_string()) || (name == "number" && value.is_number()) ||
           (name == "integer" && value.is_number_integer()) || (name == "null" && value.is_null()) ||
           (name == "boolean" && value.is_boolean());
  }

  void check_any(const Json& schemas, const Json& value, const std::string& path) {
    const bool any = std::any_of(schemas.begin(), schemas.end(), [&](const Json& schema) {
      Checker alone(root_);
      alone.check(schema, value, path);
      return alone.violations.empty();
    });
    if (!any) complain(path, "fits none of the alternatives");
  }

  void check_object(const Json& schema, const Json& value, const std::string& path) {
    const Json properties = schema.value("properties", Json::object());
    for (const std::string name : schema.value("required", Json::array())) {
      if (!value.contains(name)) complain(path, "has no " + name);
    }
    for (const auto& [name, member] : value.items()) {
      const std::string below = path + "/" + name;
      if (properties.contains(name))
        check(properties[name], member, below);
      else if (schema.contains("additionalProperties"))
        check_additional(schema["additionalProperties"], member, below);
    }
  }

  void check_additional(const Json& rule, const Json& member, const std::string& path) {
    if (rule.is_object())
      check(rule, member, path);
    else if (!rule.get<bool>())
      complain(path, "is not declared");
  }

  void check_array(const Json& schema, const Json& value, const std::string& path) {
    if (schema.contains("minItems") && value.size() < schema["minItems"]) complain(path, "has too few items");
    if (schema.contains("maxItems") && value.size() > schema["maxItems"]) complain(path, "has too many items");
    if (!schema.contains("items")) return;
    for (std::size_t i = 0; i < value.size(); ++i) check(schema["items"], value[i], path + "/" + std::to_string(i));
  }

  const Json& root_;
};

}  // namespace

std::vector<std::string> schema_violations(const nlohmann::json& schema, const nlohmann::json& value) {
  Checker checker(schema);
  checker.check(schema, value, "");
  return std::move(checker.violations);
}

}  // namespace assay::testing
