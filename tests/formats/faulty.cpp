// Formats that are refused when they are loaded, one for each ASSAY_FAULT_; "previous", of ABI 1.1, is not.
#include <assay/format.hpp>
#include <cstddef>

namespace {

using namespace assay;

class Faulty {
 public:
  static constexpr std::string_view kSummary = "Is refused.";
  static constexpr Str kEnds[] = {".faulty"}, kGlobs[] = {"**/*.faulty"};
  static constexpr FileNames kNames = {
      .extensions = kEnds, .telling = kEnds, .raw = {}, .globs = kGlobs, .one_file = "file", .expected = "files"};
#ifdef ASSAY_FAULT_clashing
  static constexpr ColumnSpec kColumns[] = {{.name = "time", .role = CellRole::kTime}};
  static constexpr TableSpec kTables[] = {{"kernels", "kernels", "As the report model has them.", kColumns}};
#endif
#ifdef ASSAY_FAULT_recorder
  static constexpr RecorderSpec kRecorders[] = {
      {.name = {}, .command = {}, .ends_options = {}, .numbered_ending = {}, .install = {}}};
#endif
#ifdef ASSAY_FAULT_unlike
  static constexpr ColumnSpec kColumns[] = {{.name = "parent", .role = CellRole::kRow, .of = "memory_stacks"}};
  static constexpr TableSpec kTables[] = {{"memory_stacks", "stacks", "Without the columns of the other.", kColumns}};
#endif
  static bool sniff([[maybe_unused]] const FormatFile& file) {
#ifdef ASSAY_FAULT_greedy
    return true;
#else
    return file.head.view().starts_with("faulty");
#endif
  }
  static void load(const FormatRequest&, Tables&) {}
};

constexpr FormatDescriptor described() {
#ifdef ASSAY_FAULT_nameless
  FormatDescriptor d = detail::describe_format<Faulty>("Faulty Format", "1.0.0");
#else
  FormatDescriptor d = detail::describe_format<Faulty>("faulty", "1.0.0");
#endif
#ifdef ASSAY_FAULT_older
  d.major = 0;
#endif
#ifdef ASSAY_FAULT_previous
  d.minor = 1;
  d.sizes.descriptor = offsetof(FormatDescriptor, captures);
  d.sizes.capture = 0;
  d.sizes.recorder = 0;
  d.captures = {nullptr, 7};
  d.recorders = {nullptr, 1000};  // of another object of the library
#endif
  return d;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) extern const FormatDescriptor assay_format;
constinit const FormatDescriptor assay_format = described();
}
