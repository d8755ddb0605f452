#include "assay/plot.hpp"

namespace assay {

void StudySink::plot(const Plot& plot) {
  check_emit(plot.with_view([&](const PlotView& view) { return emit_plot(&view); }), "plot", plot.id);
}

}  // namespace assay
