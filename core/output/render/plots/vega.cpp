#include "render/plots/vega.hpp"

#include <cmath>

#include "render/plots/palette.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

Json signal(const std::string& expression) { return {{"signal", expression}}; }
Json field(const char* scale, const char* name) { return {{"scale", scale}, {"field", name}}; }

/// A text as a literal of Vega's expressions.
std::string quoted(const std::string& text) { return Json(text).dump(); }

Json row_json(const DrawnFacet& facet, const Drawing& drawing, const DrawnLayer& layer, const DrawnRow& row) {
  const auto at = [](const DrawnAxis& axis, double value) {
    return axis.categories ? Json(axis.names[static_cast<std::size_t>(value)]) : Json(value);
  };
  Json json;
  if (!facet.name.empty()) json["facet"] = facet.name;
  json["x"] = at(facet.x, row.x);
  json["y"] = at(facet.y, row.y);
  if (layer.mark == PlotMark::kBar) {
    json["from"] = row.from;
    json["to"] = row.to;
  } else if (std::isfinite(row.lo) && std::isfinite(row.hi)) {
    json["lo"] = row.lo;
    json["hi"] = row.hi;
  }
  if (layer.sized) json["size"] = 4 * row.radius * row.radius;
  if (!drawing.series.empty() && layer.coloured) json["series"] = drawing.series[row.series];
  json["label"] = row.label;
  return json;
}

Json data_json(const Drawing& drawing) {
  Json data = Json::array();
  for (std::size_t l = 0; l < drawing.facets.front().layers.size(); ++l) {
    Json values = Json::array();
    for (const DrawnFacet& facet : drawing.facets) {
      const DrawnLayer& layer = facet.layers[l];
      for (const DrawnRow& row : layer.rows) values.push_back(row_json(facet, drawing, layer, row));
    }
    data.push_back({{"name", "layer_" + std::to_string(l)}, {"values", std::move(values)}});
  }
  return data;
}

std::string number(double value) { return Json(value).dump(); }

/// Lines of a name of the vertical axis.
constexpr const char* kBrokenName =
    "length(datum.value) <= label_characters ? [datum.value] : slice(split(replace(datum.value, "
    "regexp('(.{1,' + label_characters + '})( |$)', 'g'), '$1\\n'), '\\n'), 0, -1)";

Json scale_json(const char* name, const DrawnAxis& axis, bool bars, const std::string& length, bool is_y) {
  Json scale = {{"name", name}};
  const Json range = is_y && !axis.categories ? Json{signal(length), 0} : Json{0, signal(length)};
  if (axis.categories) {
    scale["type"] = bars ? "band" : "point";
    scale["domain"] = axis.names;
    if (bars)
      scale["paddingInner"] = 0.25, scale["paddingOuter"] = 0.125;
    else
      scale["padding"] = 0.5;
  } else {
    scale["type"] = axis.log ? "log" : "linear";
    scale["domain"] = {axis.lo, axis.hi};
    scale["nice"] = false;
    scale["zero"] = false;
  }
  scale["range"] = range;
  return scale;
}

Json axis_json(const char* scale, const DrawnAxis& axis, const std::string& title, bool is_y) {
  Json json = {{"orient", is_y ? "left" : "bottom"}, {"scale", scale}, {"title", title}, {"grid", !axis.categories}};
  json["gridScale"] = is_y ? "x" : "y";
  if (axis.categories) {
    json["ticks"] = false;
    json["domain"] = false;
    json["labelLimit"] = 0;
    Json update = {{"limit", signal("1.2 * label_limit")}};  // fonts differ; what is longer is broken
    if (is_y) {
      // Broken at spaces where it is longer than a line, and centred on its row.
      update["text"] = signal(kBrokenName);
      update["lineHeight"] = {{"value", kNameLine}};
      update["dy"] = signal("-" + number(kNameLine / 2) + " * (length(" + std::string(kBrokenName) + ") - 1)");
    }
    json["encode"] = {{"labels", {{"update", update}}}};
    json["labelPadding"] = 6;
    // Beside the labels a title would stand across them.
    if (is_y) json["titleAngle"] = 0, json["titleAlign"] = "right", json["titleX"] = -6, json["titleY"] = -11;
    return json;
  }
  Json values = Json::array(), labels = Json::array();
  for (const DrawnTick& tick : axis.ticks) {
    values.push_back(tick.at);
    labels.push_back(tick.label);
  }
  json["values"] = values;
  json["encode"] = {
      {"labels", {{"update", {{"text", signal(labels.dump() + "[indexof(" + values.dump() + ", datum.value)]")}}}}}};
  return json;
}

/// A claimed range, `enter` being its band, and a line at each end that is claimed; without an end on one side
/// the line alone.
template <class Value>
void add_claimed(const DrawnReference& r, const char* along, const Value& value, Json enter, Json& marks) {
  if (std::isfinite(r.from) && std::isfinite(r.to))
    marks.push_back({{"type", "rect"}, {"style", "claimed-band"}, {"aria", false}, {"encode", {{"update", enter}}}});
  std::vector<double> ends;
  for (const double end : {r.from, r.to}) {
    if (std::isfinite(end) && (ends.empty() || ends.front() != end)) ends.push_back(end);
  }
  for (const double end : ends) {
    Json line = {{along, value(end)}, {r.on_y ? "x" : "y", {{"value", 0}}}, {"tooltip", enter["tooltip"]}};
    line[r.on_y ? "x2" : "y2"] = enter[r.on_y ? "x2" : "y2"];
    line[r.on_y ? "y2" : "x2"] = value(end);
    marks.push_back({{"type", "rule"}, {"style", "claimed-end"}, {"aria", false}, {"encode", {{"update", line}}}});
  }
}

/// Bands and lines to compare with, below the data; their names at the end of the line.
void add_references(const DrawnFacet& facet, Json& marks) {
  for (const DrawnReference& r : facet.references) {
    const DrawnAxis& axis = r.on_y ? facet.y : facet.x;
    const double from = std::max(r.from, axis.lo), to = std::min(r.to, axis.hi);
    if (from > to) continue;
    const char* along = r.on_y ? "y" : "x";
    const auto value = [&](double at) { return Json{{"scale", along}, {"value", at}}; };
    Json enter = {{along, value(from)}, {r.on_y ? "x" : "y", {{"value", 0}}}};
    enter[r.on_y ? "x2" : "y2"] = signal(r.on_y ? "plot_width" : "plot_height");
    enter[r.on_y ? "y2" : "x2"] = value(to);
    enter["tooltip"] = {{"value", r.label}};
    if (r.claimed) {
      add_claimed(r, along, value, std::move(enter), marks);
      continue;
    }
    marks.push_back({{"type", r.is_line() ? "rule" : "rect"},
                     {"style", r.is_line() ? "reference-line" : "reference-band"},
                     {"aria", false},
                     {"encode", {{"update", enter}}}});
  }
}

Json coloured(const Drawing& drawing, const char* channel, Json update) {
  if (drawing.series.empty()) return update;
  update[channel] = field("color", "series");
  return update;
}

void add_bars(const Drawing& drawing, const DrawnFacet& facet, const std::string& data, Json& marks) {
  const bool horizontal = facet.y.categories;
  const char* along = horizontal ? "x" : "y";
  const char* across = horizontal ? "y" : "x";
  Json update = {{along, field(along, "from")}, {across, field(across, across)}};
  update[horizontal ? "x2" : "y2"] = field(along, "to");
  update[horizontal ? "height" : "width"] =
      facet.x.categories || facet.y.categories ? Json{{"scale", across}, {"band", 1}} : Json{{"value", 8}};
  update["tooltip"] = update["description"] = {{"field", "label"}};
  marks.push_back({{"type", "rect"},
                   {"style", "bar"},
                   {"name", "bars"},
                   {"from", {{"data", data}}},
                   {"encode", {{"update", coloured(drawing, "fill", std::move(update))}}}});
}

void add_points(const Drawing& drawing, const DrawnFacet& facet, const DrawnLayer& layer, const std::string& data,
                Json& marks) {
  const char* along = facet.y.categories ? "x" : "y";
  const char* across = facet.y.categories ? "y" : "x";
  Json interval = {{along, field(along, "lo")}, {across, field(across, across)}};
  interval[facet.y.categories ? "x2" : "y2"] = field(along, "hi");
  interval["opacity"] = signal("isValid(datum.lo) ? 1 : 0");
  marks.push_back({{"type", "rule"},
                   {"style", "interval"},
                   {"aria", false},
                   {"from", {{"data", data}}},
                   {"encode", {{"update", coloured(drawing, "stroke", std::move(interval))}}}});
  Json update = {{"x", field("x", "x")}, {"y", field("y", "y")}};
  update["tooltip"] = update["description"] = {{"field", "label"}};
  if (!drawing.series.empty()) update["shape"] = field("shape", "series");
  if (layer.sized) {
    update["size"] = {{"field", "size"}};
    update["fillOpacity"] = {{"value", 0.6}};
  }
  marks.push_back({{"type", "symbol"},
                   {"style", "point"},
                   {"name", "points"},
                   {"from", {{"data", data}}},
                   {"encode", {{"update", coloured(drawing, "fill", std::move(update))}}}});
}

void add_lines(const Drawing& drawing, const DrawnLayer& layer, const std::string& data, Json& marks) {
  const char* shape = layer.mark == PlotMark::kStep ? "step" : "linear";
  const bool by_series = !drawing.series.empty() && layer.coloured;
  Json area = {{"x", field("x", "x")},
               {"y", field("y", "lo")},
               {"y2", field("y", "hi")},
               {"interpolate", {{"value", shape}}},
               {"defined", signal("isValid(datum.lo)")}};
  Json line = {{"x", field("x", "x")}, {"y", field("y", "y")}, {"interpolate", {{"value", shape}}}};
  line["tooltip"] = {{"field", "label"}};
  if (by_series) line["strokeDash"] = field("dash", "series");
  const auto made = [&](const char* type, const char* style, const char* channel, const std::string& from,
                        Json update) {
    return Json{
        {"type", type},
        {"style", style},
        {"aria", false},
        {"from", {{"data", from}}},
        {"encode", {{"update", by_series ? coloured(drawing, channel, std::move(update)) : std::move(update)}}}};
  };
  if (!by_series) {
    marks.push_back(made("area", layer.coloured ? "interval-area" : "neutral-area", "fill", data, std::move(area)));
    marks.push_back(made("line", layer.coloured ? "series-line" : "neutral-line", "stroke", data, std::move(line)));
    return;
  }
  const std::string one = data + "_series";
  marks.push_back({{"type", "group"},
                   {"aria", false},
                   {"from", {{"facet", {{"name", one}, {"data", data}, {"groupby", "series"}}}}},
                   {"marks", Json::array({made("area", "interval-area", "fill", one, std::move(area)),
                                          made("line", "series-line", "stroke", one, std::move(line))})}});
}

Json facet_json(const Drawing& drawing, std::size_t f) {
  const DrawnFacet& facet = drawing.facets[f];
  Json group = {{"type", "group"}, {"name", "facet_" + std::to_string(f)}};
  if (!facet.name.empty()) group["title"] = {{"text", facet.name}, {"anchor", "start"}, {"frame", "group"}};
  group["encode"] = {{"update", {{"width", signal("plot_width")}, {"height", signal("plot_height")}}}};
  group["scales"] = {scale_json("x", facet.x, drawing.has_bars, "plot_width", false),
                     scale_json("y", facet.y, drawing.has_bars, "plot_height", true)};
  group["axes"] = {axis_json("x", facet.x, drawing.x_title, false), axis_json("y", facet.y, drawing.y_title, true)};
  Json data = Json::array(), marks = Json::array();
  add_references(facet, marks);
  for (std::size_t l = 0; l < facet.layers.size(); ++l) {
    const std::string source = "layer_" + std::to_string(l), own = source + "_facet_" + std::to_string(f);
    Json one = {{"name", own}, {"source", source}};
    if (!facet.name.empty())
      one["transform"] = {{{"type", "filter"}, {"expr", "datum.facet === " + quoted(facet.name)}}};
    data.push_back(std::move(one));
    switch (facet.layers[l].mark) {
      case PlotMark::kPoint:
        add_points(drawing, facet, facet.layers[l], own, marks);
        break;
      case PlotMark::kBar:
        add_bars(drawing, facet, own, marks);
        break;
      case PlotMark::kLine:
      case PlotMark::kStep:
        add_lines(drawing, facet.layers[l], own, marks);
        break;
    }
  }
  group["data"] = std::move(data);
  group["marks"] = std::move(marks);
  return group;
}

Json series_scales(const Drawing& drawing) {
  Json dashes = Json::array(), shapes = Json::array(), colours = Json::array();
  const std::vector<std::size_t> first = {0};
  for (const std::size_t place : drawing.places.empty() ? first : drawing.places) {
    dashes.push_back(Json::parse("[" + std::string(kDashes[colour_of(place)]) + "]"));
    shapes.push_back(kShapes[shape_of_series(place)]);
    colours.push_back(signal("range('palette')[" + std::to_string(colour_of(place)) + "]"));
  }
  // The theme's colours, of which each series takes the one of its place.
  const Json palette = {{"name", "palette"}, {"type", "ordinal"}, {"domain", Json::array()}, {"range", "category"}};
  return {palette,
          {{"name", "color"}, {"type", "ordinal"}, {"domain", drawing.series}, {"range", colours}},
          {{"name", "shape"}, {"type", "ordinal"}, {"domain", drawing.series}, {"range", shapes}},
          {{"name", "dash"}, {"type", "ordinal"}, {"domain", drawing.series}, {"range", dashes}}};
}

Json legend_json(const Drawing& drawing) {
  std::size_t longest = 1;
  for (const std::string& name : drawing.series) longest = std::max(longest, name.size());
  Json legend = {{"orient", "top"}, {"direction", "horizontal"}};
  if (!drawing.series_title.empty()) legend["title"] = drawing.series_title;
  legend["columns"] = signal("max(1, floor(available / " + std::to_string(7 * longest + 34) + "))");
  if (drawing.has_points || drawing.has_bars) legend["fill"] = "color";
  if (drawing.has_points) legend["shape"] = "shape";
  if (drawing.has_bars && !drawing.has_points) legend["symbolType"] = "square";
  if (drawing.has_lines && !drawing.has_points && !drawing.has_bars) {
    legend["stroke"] = "color";
    legend["strokeDash"] = "dash";
    legend["symbolType"] = "stroke";
  }
  return legend;
}

Json signals_json(const PlotLayout& layout) {
  const std::string columns =
      "clamp(floor(available / " + number(layout.least_width) + "), 1, " + std::to_string(layout.most_columns) + ")";
  // On a narrow screen names give way to marks and are broken.
  const std::string limit = "min(" + number(layout.label_width - 30) + ", max(36, 0.42 * available))";
  const std::string width = "max(120, floor(available / columns) - label_limit - " + number(layout.right + 30) + ")";
  Json height = {{"name", "plot_height"}, {"value", layout.height}};
  const std::string characters = "max(8, floor(label_limit / " + number(kCharacterWidth) + "))";
  if (layout.rows > 0) {
    // A line that is broken at spaces holds some characters less than fit.
    const std::string lines = "(label_characters >= " + std::to_string(layout.longest) + " ? 1 : ceil(1.25 * " +
                              std::to_string(layout.longest) + " / label_characters))";
    height = {{"name", "plot_height"},
              {"update", std::to_string(layout.rows) + " * max(" + number(kNameRow) + ", " + number(kNameLine) + " * " +
                             lines + " + 5) + 6"}};
  }
  return {{{"name", "available"}, {"value", 760}},      {{"name", "columns"}, {"update", columns}},
          {{"name", "label_limit"}, {"update", limit}}, {{"name", "label_characters"}, {"update", characters}},
          {{"name", "plot_width"}, {"update", width}},  height};
}

}  // namespace

Json vega_config(bool dark) {
  const auto& palette = dark ? kOnDark : kOnLight;
  const char* text = dark ? "#e6e6e3" : "#1f2328";
  const char* muted = dark ? "#a5a9ae" : "#57606a";
  const char* grid = dark ? "#33383e" : "#e7e9ec";
  const char* band = dark ? "#3a3f46" : "#e3e6ea";
  const char* claim = dark ? "#d7a6f0" : "#7a1fa2";
  const char* font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
  Json config;
  config["background"] = nullptr;
  config["axis"] = {{"labelColor", muted}, {"titleColor", text},    {"labelFont", font},      {"titleFont", font},
                    {"labelFontSize", 11}, {"titleFontSize", 11.5}, {"titleFontWeight", 500}, {"titlePadding", 8},
                    {"gridColor", grid},   {"domainColor", muted},  {"tickColor", muted},     {"tickSize", 4},
                    {"domain", false}};
  config["legend"] = {{"labelColor", text},       {"titleColor", muted}, {"labelFont", font},      {"titleFont", font},
                      {"labelFontSize", 11},      {"titleFontSize", 11}, {"titleFontWeight", 500}, {"symbolSize", 60},
                      {"symbolStrokeWidth", 1.8}, {"columnPadding", 16}, {"labelLimit", 0},        {"offset", 12}};
  config["title"] = {{"color", text}, {"font", font}, {"fontSize", 12}, {"fontWeight", 600}, {"offset", 8}};
  config["range"] = {{"category", palette}};
  config["style"] = {
      {"point", {{"size", 48}, {"fill", palette[0]}, {"stroke", dark ? "#16191d" : "#ffffff"}, {"strokeWidth", 0.7}}},
      {"interval", {{"stroke", palette[0]}, {"strokeWidth", 1.6}}},
      {"bar", {{"fill", palette[0]}, {"stroke", dark ? "#16191d" : "#ffffff"}, {"strokeWidth", 1}}},
      {"series-line", {{"stroke", palette[0]}, {"strokeWidth", 1.8}}},
      {"interval-area", {{"fill", palette[0]}, {"fillOpacity", 0.14}}},
      {"neutral-line", {{"stroke", muted}, {"strokeWidth", 1.6}}},
      {"neutral-area", {{"fill", muted}, {"fillOpacity", 0.16}}},
      {"reference-band", {{"fill", band}, {"fillOpacity", 0.85}}},
      {"claimed-band", {{"fill", claim}, {"fillOpacity", 0.13}}},
      {"claimed-end", {{"stroke", claim}, {"strokeWidth", 1.3}, {"strokeDash", {2, 2}}}},
      {"reference-line", {{"stroke", muted}, {"strokeWidth", 1}, {"strokeDash", {4, 3}}}}};
  return config;
}

Json vega_spec(const OwnedPlot& plot, const Drawing& drawing) {
  const PlotLayout layout = layout_of(drawing);
  Json spec;
  spec["$schema"] = "https://vega.github.io/schema/vega/v5.json";
  spec["description"] = plot_description(plot, drawing);
  spec["usermeta"] = {{"analyzer", plot.analyzer}, {"plot", plot.id}, {"title", plot.title}, {"caption", plot.caption}};
  spec["autosize"] = "pad";
  spec["padding"] = 2;
  spec["config"] = vega_config(false);
  spec["signals"] = signals_json(layout);
  spec["data"] = data_json(drawing);
  spec["scales"] = series_scales(drawing);
  spec["layout"] = {{"columns", signal("columns")}, {"padding", {{"row", 22}, {"column", 10}}}, {"align", "each"}};
  if (!drawing.series.empty()) spec["legends"] = Json::array({legend_json(drawing)});
  Json marks = Json::array();
  for (std::size_t f = 0; f < drawing.facets.size(); ++f) marks.push_back(facet_json(drawing, f));
  spec["marks"] = std::move(marks);
  return spec;
}

}  // namespace assay
