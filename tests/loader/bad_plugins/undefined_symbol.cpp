// Calls a function that no library has: such a plugin must be refused when it is loaded, not fail at the first call.
#include "good.hpp"

extern "C" void defined_nowhere();

namespace {
struct Forgetful : good::Good {
  using good::Good::Good;
  void analyze(const assay::Report&, assay::ReportSink&) const { defined_nowhere(); }
};
}  // namespace

ASSAY_PLUGIN("undefined_symbol", "1.0.0", Forgetful);
