// Plots of `conclude`: data, and the meaning of its columns. The host draws them: it chooses sizes, colours, shapes and
// ticks, writes the unit next to the axis title, and keeps the specification for reuse in a notebook.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/output.hpp"

namespace assay {

/// How the rows of a layer become marks.
enum class PlotMark : std::uint32_t {
  kPoint = 0,  ///< one point per row; with `lo` and `hi` its interval as a line through it
  kLine = 1,   ///< rows of a series joined in order of x; with `lo` and `hi` the area between them is shaded
  kStep = 2,   ///< like kLine, joined by steps half-way between two x
  kBar = 3,    ///< rows of one category stacked in series order, from 0; a row with `lo` and `hi` is between them
};

enum class PlotScale : std::uint32_t { kLinear = 0, kLog = 1 };

/// Order of the categories of a text axis.
enum class PlotOrder : std::uint32_t {
  kGiven = 0,       ///< of first appearance
  kAscending = 1,   ///< by the mean of the other axis over the rows of a category in the first layer
  kDescending = 2,  ///< like kAscending, largest first
};

/// Bits of PlotAxis::flags.
enum PlotAxisFlag : std::uint32_t {
  kAxisZero = 1,    ///< a linear axis includes 0
  kAxisFree = 2,    ///< every facet has its own range or categories
  kAxisShares = 4,  ///< 0..1 is printed as 0..100 %
};

/// One axis. A text column gives categories, a numeric one numbers; at most one axis may have categories. The unit is
/// that of the first layer's column.
struct PlotAxisView {
  Str title;  ///< without unit
  PlotScale scale = PlotScale::kLinear;
  PlotOrder order = PlotOrder::kGiven;
  std::uint32_t flags = 0;  ///< PlotAxisFlag bits
  std::uint32_t reserved[5] = {};
};

/// One set of marks. Columns are referred to by name; an empty name: no such channel. NaN in x or y: no mark for the
/// row; in lo and hi: a mark without interval. The host refuses unknown columns, text on both axes, and one of lo and
/// hi without the other.
struct PlotLayerView {
  PlotMark mark = PlotMark::kPoint;
  std::uint32_t reserved = 0;
  const TableView* data = nullptr;  ///< never null
  Str x, y;                         ///< required
  Str lo, hi;                       ///< along the numeric axis, y if both are
  Str series;                       ///< text column: colour and shape or dash; equal names look equal in all layers
  Str facet;                        ///< text column: one small plot per value; a layer without it is in all of them
  Str size;                         ///< column of numbers >= 0; areas of points are proportional to it
};

/// A reference: a line (from = to) or a shaded band across a numeric axis.
struct PlotReferenceView {
  std::uint32_t on_y = 0;  ///< 0: values of x, 1: of y
  std::uint32_t reserved = 0;
  double from = 0, to = 0;  ///< in the unit of the axis, from <= to, finite
  Str label;                ///< its meaning: "noise floor"
  Str facet;                ///< empty: all facets
};

struct PlotView {
  std::uint64_t struct_size = sizeof(PlotView);
  Str id;       ///< letters, digits, '_' and '-'; unique within the analyzer: "pairs"
  Str title;    ///< for people: what is shown; not empty
  Str caption;  ///< how to read it, and what would show the contrary: whole sentences
  PlotAxisView x, y;
  Str series_title;                                          ///< of the legend
  std::uint32_t layer_size = sizeof(PlotLayerView);          ///< stride of `layers`, in bytes
  std::uint32_t reference_size = sizeof(PlotReferenceView);  ///< stride of `references`, in bytes
  Span<PlotLayerView> layers;                                ///< at least one; equal kinds of axes in all
  Span<PlotReferenceView> references;
  Span<std::int64_t> evidence;  ///< rows of Study::facts
};

/// Author's side of an axis.
struct PlotAxis {
  std::string title;
  PlotScale scale = PlotScale::kLinear;
  PlotOrder order = PlotOrder::kGiven;
  std::uint32_t flags = 0;
};

/// Author's side: names of the columns of the channels, as in PlotLayerView; empty: no such channel.
struct PlotEncoding {
  std::string x, y;
  std::string lo{}, hi{};
  std::string series{}, facet{}, size{};
};

struct PlotLayer {
  PlotMark mark;
  Table data;
  PlotEncoding encoding;
};

struct PlotReference {
  double from, to;
  std::string label;
  bool on_y = false;
  std::string facet{};
};

/// Author's side of a plot; members as in PlotView.
struct Plot {
  std::string id, title, caption;
  PlotAxis x, y;
  std::string series_title;
  std::vector<PlotLayer> layers;
  std::vector<PlotReference> references;
  std::vector<std::int64_t> evidence;

  /// Returns `use(PlotView)`, called with views that live for the call.
  template <class Use>
  auto with_view(Use&& use) const {
    std::vector<PlotLayerView> views;
    return with_layers(views, use);
  }

 private:
  static PlotAxisView view_of(const PlotAxis& axis) { return {axis.title, axis.scale, axis.order, axis.flags, {}}; }

  template <class Use>
  auto with_layers(std::vector<PlotLayerView>& views, Use& use) const -> decltype(use(std::declval<PlotView&>())) {
    if (views.size() < layers.size()) {
      const PlotLayer& layer = layers[views.size()];
      return layer.data.with_view([&](const TableView& data) {
        const PlotEncoding& e = layer.encoding;
        views.push_back({layer.mark, 0, &data, e.x, e.y, e.lo, e.hi, e.series, e.facet, e.size});
        return with_layers(views, use);
      });
    }
    std::vector<PlotReferenceView> lines;
    lines.reserve(references.size());
    for (const PlotReference& r : references) lines.push_back({r.on_y ? 1U : 0U, 0, r.from, r.to, r.label, r.facet});
    PlotView view;
    view.id = id;
    view.title = title;
    view.caption = caption;
    view.x = view_of(x);
    view.y = view_of(y);
    view.series_title = series_title;
    view.layers = views;
    view.references = lines;
    view.evidence = evidence;
    return use(view);
  }
};

}  // namespace assay
