// Traces in pages: {"schemaVersion": 1, "traceEvents": [], "paged": 3} is 3 kernels of 10 us each; it has PyTorch's
// marks.
#include <algorithm>
#include <assay/format.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace assay;

class PagedFormat {
 public:
  static constexpr std::string_view kSummary = "Traces in pages.", kAgain = "page it again";
  static constexpr std::uint32_t kTraits = kTraitPages;
  static constexpr Str kEnds[] = {".a.paged.json", ".b.paged.json"}, kGlobs[] = {"**/*.paged.json"};
  static constexpr FileNames kNames = {.extensions = kEnds,
                                       .telling = kEnds,
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "paged trace",
                                       .expected = "paged traces (.paged.json)"};

  static bool sniff(const FormatFile& file) { return file.head.view().find("\"paged\"") != std::string_view::npos; }
  static void explain(const FormatFile& file, ExplanationSink& out) {
    if (file.path.view().ends_with(".paged.json")) out.explain("This file is a trace without pages", "page it.", true);
  }
  static void rules(const FormatFile&, RuleSink& out) {
    const Str ranges[] = {"outer", "inner"};
    out.launch("gemm", ranges);
    out.saying({.section = "S", .rule = "R", .kind = "OPT", .text = "Slow.", .speedup = 12.5, .local = true});
    out.saying({.rule = "unsure"});
  }

  static void load(const FormatRequest& request, Tables& out) {
    std::uint64_t count = kernels_in(request.path);
    for (const Str more : request.also) count += kernels_in(more);
    auto kernels = out.rows<KernelTable>(col::kernels, count);
    const auto start = kernels[&KernelTable::start], end = kernels[&KernelTable::end];
    for (std::size_t k = 0; k < count; ++k) {
      start[k] = static_cast<std::int64_t>(k) * 20'000;
      end[k] = start[k] + 10'000;
    }
    auto causes = out.rows<CauseTable>(col::causes, 1);
    causes[&CauseTable::start][0] = 10'000;
    causes[&CauseTable::end][0] = 20'000;
    causes[&CauseTable::name][0] = out.intern("compiling forward");
    causes[&CauseTable::line][0] = 28;
    if (out.sink().text(out.intern("compiling forward")).view() != "compiling forward") std::abort();
  }

 private:
  static std::uint64_t kernels_in(Str path) {
    std::ifstream in{std::string(path.view())};
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return std::strtoull(text.c_str() + text.find("\"paged\": ") + 9, nullptr, 10);
  }
};

}  // namespace

ASSAY_FORMAT("paged", "1.0.0", PagedFormat);
