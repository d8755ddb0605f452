#include "analyze/emission.hpp"
#include "conclude/owned_plot.hpp"

namespace assay {
namespace {

constexpr std::uint64_t kFirstLayer = 112;
constexpr std::uint64_t kFirstReference = 56;
static_assert(sizeof(PlotLayerView) >= kFirstLayer && sizeof(PlotReferenceView) >= kFirstReference);

std::size_t column_of(const OwnedTable& table, const std::string& name) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == name) return c;
  }
  return kNoColumn;
}

std::string copy_axis(const PlotAxisView& view, const char* name, PlotAxis& to) {
  if (view.scale > PlotScale::kLog || view.order > PlotOrder::kDescending) {
    return std::string("has an unknown scale or order of the ") + name + " axis";
  }
  to = {text_of(view.title), view.scale, view.order, view.flags};
  return {};
}

/// Resolves the columns of the channels and checks their types.
std::string find_channels(const PlotLayerView& view, OwnedLayer& to) {
  const struct {
    Str name;
    std::size_t& at;
    bool needed;
  } channels[] = {{view.x, to.channels.x, true},
                  {view.y, to.channels.y, true},
                  {view.lo, to.channels.lo, false},
                  {view.hi, to.channels.hi, false},
                  {view.series, to.channels.series, false},
                  {view.facet, to.channels.facet, false},
                  {view.size, to.channels.size, false}};
  for (const auto& channel : channels) {
    const std::string name = text_of(channel.name);
    if (name.empty() && !channel.needed) continue;
    channel.at = column_of(to.data, name);
    if (channel.at == kNoColumn) return "encodes the column '" + name + "', which its table does not have";
  }
  const auto is_text = [&](std::size_t c) { return to.data.columns[c].type == CellType::kText; };
  const LayerChannels& c = to.channels;
  if (is_text(c.x) && is_text(c.y)) return "has text columns on both axes; one of them must be numbers";
  if ((c.lo == kNoColumn) != (c.hi == kNoColumn)) return "has one of lo and hi without the other";
  for (const std::size_t bound : {c.lo, c.hi}) {
    if (bound != kNoColumn && is_text(bound)) return "has a text column as lo or hi";
  }
  if (c.size != kNoColumn && is_text(c.size)) return "has a text column as size";
  for (const std::size_t names : {c.series, c.facet}) {
    if (names != kNoColumn && !is_text(names)) return "has a series or facet whose column is not text";
  }
  return {};
}

std::string copy_layer(const PlotLayerView& view, OwnedLayer& to) {
  if (view.mark > PlotMark::kBar) return "has a mark that this host does not know";
  to.mark = view.mark;
  if (std::string problem = copy_table(view.data, to.data); !problem.empty())
    return "has a layer whose table " + problem;
  return find_channels(view, to);
}

std::string copy_layers(const PlotView& view, OwnedPlot& to) {
  if (view.layer_size < kFirstLayer) return "has layers smaller than the first version of PlotLayerView";
  if (view.layers.empty() || !readable(view.layers)) return "has no layer";
  for (std::uint64_t i = 0; i < view.layers.size; ++i) {
    const PlotLayerView layer = element(view.layers, view.layer_size, i);
    if (std::string problem = copy_layer(layer, to.layers.emplace_back()); !problem.empty()) return problem;
  }
  const auto is_text = [](const OwnedLayer& layer, std::size_t c) {
    return layer.data.columns[c].type == CellType::kText;
  };
  const OwnedLayer& first = to.layers.front();
  for (const OwnedLayer& layer : to.layers) {
    if (is_text(layer, layer.channels.x) != is_text(first, first.channels.x) ||
        is_text(layer, layer.channels.y) != is_text(first, first.channels.y)) {
      return "has layers with text on one axis and numbers on the same axis of another";
    }
  }
  return {};
}

std::string copy_references(const PlotView& view, OwnedPlot& to) {
  if (view.reference_size < kFirstReference)
    return "has references smaller than the first version of PlotReferenceView";
  if (!readable(view.references)) return "has references that cannot be read";
  for (std::uint64_t i = 0; i < view.references.size; ++i) {
    const PlotReferenceView r = element(view.references, view.reference_size, i);
    if (!std::isfinite(r.from) || !std::isfinite(r.to) || r.from > r.to) {
      return "has a reference whose ends are not two finite numbers in order";
    }
    const OwnedLayer& first = to.layers.front();
    const std::size_t across = r.on_y != 0 ? first.channels.y : first.channels.x;
    if (first.data.columns[across].type == CellType::kText) return "has a reference on an axis of categories";
    to.references.push_back({r.from, r.to, text_of(r.label), r.on_y != 0, text_of(r.facet)});
  }
  return {};
}

}  // namespace

std::string copy_plot(const PlotView& view, OwnedPlot& to) {
  to.id = text_of(view.id);
  to.title = text_of(view.title);
  to.caption = text_of(view.caption);
  to.series_title = text_of(view.series_title);
  if (to.id.empty() || to.title.empty()) return "has no id or no title";
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (to.id.find_first_not_of(plain) != std::string::npos) return "has an id with more than letters, digits, _ and -";
  std::string problem = copy_axis(view.x, "x", to.x);
  if (problem.empty()) problem = copy_axis(view.y, "y", to.y);
  if (problem.empty()) problem = copy_layers(view, to);
  if (problem.empty()) problem = copy_references(view, to);
  return problem;
}

}  // namespace assay
