#include <fmt/core.h>
#include <libdeflate.h>

#include <array>
#include <charconv>
#include <memory>
#include <new>

#include "render/format.hpp"
#include "render/html/page.hpp"

namespace assay {
namespace {

/// Numbers for texts, so that each is stored once.
class Dictionary {
 public:
  std::size_t operator()(std::string_view text) {
    const auto [at, is_new] = places_.try_emplace(std::string(text), places_.size());
    if (is_new) texts_.push_back(at->first);
    return at->second;
  }
  [[nodiscard]] const nlohmann::ordered_json& texts() const { return texts_; }

 private:
  std::map<std::string, std::size_t> places_;
  nlohmann::ordered_json texts_ = nlohmann::ordered_json::array();
};

/// Deflated in zlib format, as base64: browsers can inflate that.
std::string packed(const std::string& text) {
  constexpr int kLevel = 6;  // level 12 takes ten times as long for 5 % less
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor);
  if (!compressor) throw std::bad_alloc();
  std::string out(libdeflate_zlib_compress_bound(compressor.get(), text.size()), '\0');
  out.resize(libdeflate_zlib_compress(compressor.get(), text.data(), text.size(), out.data(), out.size()));
  return base64(out);
}

/// Rounded to the digits that the table shows; facts.csv has all of them.
double as_shown(double value) {
  constexpr int kShown = 9;
  std::array<char, 64> text;
  const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific, kShown - 1);
  double out = value;
  std::from_chars(text.begin(), end.ptr, out);
  return out;
}

/// Run-length encoding: [number, count, ...]. Facts are sorted, so most numbers repeat.
class Runs {
 public:
  void add(std::size_t number) {
    if (count_ > 0 && number == last_) {
      ++count_;
      return;
    }
    end();
    last_ = number;
    count_ = 1;
  }
  nlohmann::ordered_json release() {
    end();
    return std::move(runs_);
  }

 private:
  void end() {
    if (count_ == 0) return;
    runs_.push_back(last_);
    runs_.push_back(count_);
  }
  nlohmann::ordered_json runs_ = nlohmann::ordered_json::array();
  std::size_t last_ = 0, count_ = 0;
};

}  // namespace

std::string facts_section(const PageInput& page) {
  using OrderedJson = nlohmann::ordered_json;
  Dictionary reports, metrics, dims;
  OrderedJson metric_list = OrderedJson::array(), value = OrderedJson::array();
  Runs report, metric, dim, n;
  for (const FactRow row : page.facts) {
    report.add(reports(row.report));
    const std::size_t m = metrics(row.fact->metric);
    if (m == metric_list.size()) metric_list.push_back({row.fact->metric, row.unit});
    metric.add(m);
    dim.add(dims(row.dims()));
    value.push_back(as_shown(row.fact->value));
    n.add(row.fact->n());
  }
  const OrderedJson data = {
      {"reports", reports.texts()}, {"metrics", metric_list}, {"dims", dims.texts()}, {"report", report.release()},
      {"metric", metric.release()}, {"dim", dim.release()},   {"value", value},       {"n", n.release()}};
  const std::string fewer = page.facts.size() == page.all_facts
                                ? std::string()
                                : " This page has the " + std::to_string(page.facts.size()) +
                                      " that findings, claims and plots link to; <code>facts.csv</code> and "
                                      "<code>results.sqlite</code> have all.";
  return fmt::format(
      "<section class=\"question\" id=\"facts\" aria-labelledby=\"facts-title\"><h2 "
      "id=\"facts-title\">Facts</h2>\n<p>{} were measured or derived.{}</p>\n<noscript><p>The table of facts needs "
      "JavaScript; <code>facts.csv</code> next to this file has the same rows.</p></noscript>\n<details "
      "class=\"part\"><summary><h3>Table of facts</h3></summary><div id=\"facts-box\"></div></details>\n<script "
      "type=\"application/octet-stream\" id=\"facts-data\">{}</script>\n</section>\n",
      counted(page.all_facts, "fact"), fewer, packed(data.dump(-1, ' ', true, OrderedJson::error_handler_t::replace)));
}

}  // namespace assay
