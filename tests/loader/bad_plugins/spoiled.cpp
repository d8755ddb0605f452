// A descriptor that is right but for one statement, ASSAY_SPOIL, on the Descriptor `d`.
#include "good.hpp"

namespace {
consteval assay::Descriptor spoiled() {
  assay::Descriptor d = assay::detail::describe<good::Good>("spoiled", "1.0.0");
  ASSAY_SPOIL;
  return d;
}
}  // namespace

extern "C" {
__attribute__((visibility("default"))) extern const assay::Descriptor assay_plugin;
constinit const assay::Descriptor assay_plugin = spoiled();
}
