// Everything that has been known to keep a library mapped after dlclose: inline variables, statics of inline functions
// and of templates with destructors, and type information shared with the standard library.
#include <any>
#include <functional>
#include <map>
#include <memory>

#include "assay/plugin.hpp"

namespace clinging {

inline std::map<std::string, std::vector<double>> inline_map = {{"a", {1, 2}}};
inline std::string long_text(100, 'x');

template <class T>
struct Registry {
  static inline std::vector<T> values{T{}, T{}};
  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  std::unique_ptr<T> owned = std::make_unique<T>();
};

inline std::size_t counted() {
  static std::size_t calls = 0;
  static const std::function<std::size_t()> count = [] { return ++calls; };
  return count();
}

struct Clinging {
  static constexpr std::string_view kSummary = "Has every kind of static.";
  static constexpr assay::MetricSpec kProduces[] = {{"clinging.count", "1", assay::Polarity::kNeutral, "A number."}};
  explicit Clinging(const assay::Options&) { Registry<std::string>::values.push_back(long_text); }
  void analyze(const assay::Report&, assay::ReportSink& sink) const {
    const std::any held =
        Registry<std::any>::instance().owned->has_value() ? std::any(1) : std::any(std::string("text"));
    inline_map["b"].push_back(static_cast<double>(counted()));
    sink.fact("clinging.count", static_cast<double>(inline_map.size() + (held.type() == typeid(std::string) ? 1 : 0)));
  }
};

}  // namespace clinging

ASSAY_PLUGIN("clinging", "1.0.0", clinging::Clinging);
