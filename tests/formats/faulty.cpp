// Formats that are refused when they are loaded, as one library: a copy has the fault that its file is called by.
#include <dlfcn.h>

#include <assay/format.hpp>

namespace {

using namespace assay;

bool is_called(std::string_view fault);

class Faulty {
 public:
  static constexpr std::string_view kSummary = "Is refused.";
  static constexpr Str kEnds[] = {".faulty"}, kGlobs[] = {"**/*.faulty"};
  static constexpr FileNames kNames = {
      .extensions = kEnds, .telling = kEnds, .raw = {}, .globs = kGlobs, .one_file = "file", .expected = "files"};
  static bool sniff(const FormatFile& file) { return is_called("greedy") || file.head.view().starts_with("faulty"); }
  static void load(const FormatRequest&, Tables&) {}
};

constexpr RecorderSpec kNamelessRecorder[] = {
    {.name = {}, .command = {}, .ends_options = {}, .numbered_ending = {}, .install = {}}};
constexpr ColumnSpec kTimes[] = {{.name = "time", .role = CellRole::kTime}};
constexpr TableSpec kTableOfTheModel[] = {{"kernels", "kernels", "As the report model has them.", kTimes}};
constexpr ColumnSpec kParents[] = {{.name = "parent", .role = CellRole::kRow, .of = "memory_stacks"}};
constexpr TableSpec kUnlikeStacks[] = {{"memory_stacks", "stacks", "Without the columns of the other.", kParents}};

bool is_called(std::string_view fault) {
  Dl_info library{};
  dladdr(kTimes, &library);
  return std::string_view(library.dli_fname).ends_with("_" + std::string(fault) + ".so");
}

FormatDescriptor described() {
  FormatDescriptor d = detail::describe_format<Faulty>("faulty", "1.0.0");
  if (is_called("nameless")) d.id = "Faulty Format";
  if (is_called("clashing")) d.tables = kTableOfTheModel;
  if (is_called("unlike")) d.tables = kUnlikeStacks;
  if (is_called("recorder")) d.recorders = kNamelessRecorder;
  if (is_called("older")) d.major = 0;
  if (is_called("smaller")) d.sizes.descriptor -= 8;
  return d;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) extern const FormatDescriptor assay_format;
const FormatDescriptor assay_format = described();
}
