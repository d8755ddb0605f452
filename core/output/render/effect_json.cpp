#include "render/effect_json.hpp"

#include <cmath>

#include "render/format.hpp"

namespace assay {

nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json effect_json(const std::optional<OwnedEffect>& effect, std::int64_t pairs, bool decides) {
  using Json = nlohmann::ordered_json;
  if (!effect) return nullptr;
  const std::string_view reason = decides ? std::string_view() : no_interval_reason(*effect, pairs);
  return {{"kind", kind_name(effect->kind)},
          {"metric", effect->metric},
          {"value", json_number(effect->value)},
          {"ci", reason.empty() ? Json::array({json_number(effect->lo), json_number(effect->hi)}) : Json(nullptr)},
          {"ci_reason", reason.empty() ? Json(nullptr) : Json(reason)},
          {"level", json_number(effect->level)},
          {"method", effect->method},
          {"n", effect->n},
          {"scope", scope_name(effect->scope)}};
}

}  // namespace assay
