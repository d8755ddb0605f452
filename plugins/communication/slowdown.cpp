#include "slowdown.hpp"

#include <string>

namespace assay::communication {
namespace {

/// FNV-1a, truncated to the 52 bits that a double holds exactly.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) byte(static_cast<unsigned char>(c));
    byte(0);
  }
  void add(std::int64_t number) { add(std::to_string(number)); }
  [[nodiscard]] double value() const { return static_cast<double>(hash_ >> 12); }

 private:
  void byte(unsigned char b) { hash_ = (hash_ ^ b) * 0x100000001B3ULL; }
  std::uint64_t hash_ = 0xCBF29CE484222325ULL;
};

constexpr std::pair<std::string_view, double Place::*> kSamples[] = {
    {"compute.place_time_ns", &Place::time},          {"compute.place_count", &Place::count},
    {"compute.place_beside_ns", &Place::beside_time}, {"compute.place_beside_count", &Place::beside_count},
    {"compute.place_alone_ns", &Place::alone_time},   {"compute.place_alone_count", &Place::alone_count},
};

}  // namespace

Places places_of(const Report& report, const DeviceWork& work, const std::vector<MeasuredStep>& steps) {
  const KernelTable& k = *report.kernels;
  Places places;
  for (const MeasuredStep& s : steps) {
    std::map<double, std::int64_t> seen;
    for (const Row row : s.step->kernels) {
      const auto i = static_cast<std::size_t>(row);
      if (work.communicates(i)) continue;
      Hash hash;
      hash.add(report.string(k.name[i]));
      hash.add(k.grid_x[i]);
      hash.add(k.grid_y[i]);
      hash.add(k.grid_z[i]);
      Hash place = hash;
      place.add(seen[hash.value()]++);
      const Interval time{k.start[i], k.end[i]};
      const std::int64_t covered = measure(DeviceWork::within(work.communication(), time)),
                         length = time.end - time.start;
      Place& p = places[place.value()];
      p.time += static_cast<double>(length);
      ++p.count;
      if (covered == 0) {
        p.alone_time += static_cast<double>(length);
        ++p.alone_count;
      }
      if (covered > 0 && covered * 2 >= length) {
        p.beside_time += static_cast<double>(length);
        ++p.beside_count;
      }
    }
  }
  return places;
}

void emit_places(const Places& places, ReportSink& sink) {
  if (places.empty()) return sink.skip("compute.slowdown_ratio", "no compute kernel was launched in the steps");
  std::vector<double> keys;
  for (const auto& [key, place] : places) keys.push_back(key);
  sink.fact("compute.place_key", static_cast<double>(keys.size()), keys);
  for (const auto& [metric, member] : kSamples) {
    std::vector<double> values;
    double sum = 0;
    for (const auto& [key, place] : places) {
      values.push_back(place.*member);
      sum += place.*member;
    }
    sink.fact(metric, sum, values);
  }
}

Places read_places(const StudyView& view, std::size_t report) {
  Places places;
  const auto row = static_cast<Row>(report);
  const auto keys = view.fact(row, "compute.place_key");
  if (!keys) return places;
  for (const auto& [metric, member] : kSamples) {
    const auto fact = view.fact(row, metric);
    if (!fact || view.samples(*fact).size() != view.samples(*keys).size()) return {};
    for (std::size_t i = 0; i < view.samples(*keys).size(); ++i)
      places[view.samples(*keys)[i]].*member = view.samples(*fact)[i];
  }
  return places;
}

Slowdown compare(const Places& own, const Places& reference) {
  Slowdown out;
  double all = 0;
  for (const auto& [key, place] : own) {
    all += place.time;
    const auto at = reference.find(key);
    if (at == reference.end() || at->second.count == 0) continue;
    const double one = at->second.time / at->second.count;
    out.own += place.time;
    out.reference += one * place.count;
    out.beside += place.beside_time;
    out.beside_reference += one * place.beside_count;
    out.alone += place.alone_time;
    out.alone_reference += one * place.alone_count;
  }
  out.matched = all > 0 ? out.own / all : 0;
  return out;
}

}  // namespace assay::communication
