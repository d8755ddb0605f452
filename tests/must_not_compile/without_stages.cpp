#include "assay/plugin.hpp"

struct Idle {
  static constexpr std::string_view kSummary = "Has neither analyze nor conclude.";
  explicit Idle(const assay::Options&) {}
};

ASSAY_PLUGIN("idle", "1.0.0", Idle);
