#include "render/effect_json.hpp"

#include <cmath>

#include "render/format.hpp"

namespace assay {

nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json effect_json(const std::optional<OwnedEffect>& effect) {
  using Json = nlohmann::ordered_json;
  if (!effect) return nullptr;
  const bool bounded = !std::isnan(effect->lo) && !std::isnan(effect->hi);
  return {{"kind", kind_name(effect->kind)},
          {"metric", effect->metric},
          {"value", json_number(effect->value)},
          {"ci", bounded ? Json::array({json_number(effect->lo), json_number(effect->hi)}) : Json(nullptr)},
          {"level", json_number(effect->level)},
          {"method", effect->method},
          {"n", effect->n},
          {"scope", scope_name(effect->scope)}};
}

}  // namespace assay
