// Checks JSON against the part of JSON Schema that docs/findings.schema.json uses: type, enum, const, required,
// properties, additionalProperties, items, minItems, maxItems, minimum, maximum, anyOf, and $ref to #/$defs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay::testing {

/// Every violation as "path: what"; empty when `value` is valid. A keyword that is not known is a violation too, so
/// that the schema cannot say more than is checked.
std::vector<std::string> schema_violations(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace assay::testing
