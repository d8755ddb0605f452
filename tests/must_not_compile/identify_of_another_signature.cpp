// Without the check, such an `identify` would never be called.
#include "assay/format.hpp"

struct Misread {
  static constexpr std::string_view kSummary = "Identifies nothing.";
  static constexpr assay::FileNames kNames = {};
  static bool sniff(const assay::FormatFile&) { return false; }
  static void identify(const assay::FormatFile&) {}
  static void load(const assay::FormatRequest&, assay::Tables&) {}
};

ASSAY_FORMAT("misread", "1.0.0", Misread);
