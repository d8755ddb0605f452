// Plugins that the host must survive, as one library: a copy does what its file is called. Each emits one good fact per
// stage before it misbehaves; those must vanish with it.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "good.hpp"

namespace {

using namespace assay;

/// What one of them does; null: nothing.
struct Behaviour {
  std::string_view name;
  void (*at_load)() = nullptr;
  void (*construct)() = nullptr;
  void (*analyze)(const Report&, ReportSink&) = nullptr;
  void (*conclude)(StudySink&) = nullptr;
  void (*gather)() = nullptr;
  void (*at_unload)() = nullptr;
  void (*spoil)(Descriptor&) = nullptr;  ///< a good descriptor
};
extern const Behaviour* const kOwn;
extern const std::string kValue, kStudyValue;

void emit_undeclared_and_swallow(const Report&, ReportSink& sink) {
  try {
    sink.fact("never.declared", 1);
  } catch (const EmitError&) {  // this is the misbehaviour
  }
}

/// Touches what it asks for, until there is no more.
void allocate_without_end(const Report&, ReportSink&) {
  std::vector<std::unique_ptr<std::string>> kept;
  while (true) kept.push_back(std::make_unique<std::string>(std::size_t{16} << 20, 'x'));
}

/// Another one at every call: what a function of its input never has.
int next_number() {
  static std::atomic<int> number{0};
  return number++;
}

/// In the square of the number of kernels, or a part of it, whatever the optimiser can do.
void run_in_quadratic_time(const Report& report, ReportSink& sink) {
  constexpr std::size_t kStep = 1024;
  if (report.kernels == nullptr) return;
  const KernelTable& kernels = *report.kernels;
  const std::int64_t* const ends = kernels.end.data;
  volatile std::int64_t sum = 0;
  for (std::size_t a = 0; a < kernels.rows; ++a) {
    for (std::size_t b = 0; b < kernels.rows; b += kStep) sum = sum + (ends[b] > ends[a] ? 1 : 0);
  }
  sink.fact(kStudyValue, static_cast<double>(sum));
}

/// One byte more in the file that the test names.
void count_load() {
  const char* const name = std::getenv("ASSAY_TEST_LOADS");
  std::FILE* const file = name == nullptr ? nullptr : std::fopen(name, "a");
  if (file == nullptr) return;
  std::fputc('x', file);
  std::fclose(file);
}

void spin() {
  for (volatile bool on = true; on;) continue;
}
void sleep_long() { std::this_thread::sleep_for(std::chrono::hours(1)); }

constexpr MetricSpec kTakenMetrics[] = {{"good.kernel_count", "1", Polarity::kNeutral, "As another plugin has it."}};
constexpr MetricSpec kAnothersMetrics[] = {{"kernel.count", "1", Polarity::kNeutral, "As run_summary has it."}};
constexpr OptionSpec kBadDefaults[] = {{"limit", OptionType::kInteger, "many", "Any number."}};
constexpr Str kNobodysMetrics[] = {"nobody.makes_this"};

constexpr Behaviour kBehaviours[] = {
    // What is wrong in the descriptor.
    {.name = "wrong_magic", .spoil = [](Descriptor& d) { d.magic = 42; }},
    {.name = "older_major", .spoil = [](Descriptor& d) { d.abi_major = kAbiMajor - 1; }},
    {.name = "newer_major", .spoil = [](Descriptor& d) { d.abi_major = kAbiMajor + 1; }},
    {.name = "newer_minor", .spoil = [](Descriptor& d) { d.abi_minor = kAbiMinor + 1; }},
    {.name = "wrong_size", .spoil = [](Descriptor& d) { d.sizes.metric_spec += 8; }},
    {.name = "smaller_spec", .spoil = [](Descriptor& d) { d.sizes.option_spec -= 8; }},
    {.name = "smaller_descriptor", .spoil = [](Descriptor& d) { d.sizes.descriptor = 8; }},
    {.name = "gathering", .spoil = [](Descriptor& d) { d.stages = kStageGather | kStageConclude; }},
    {.name = "larger_report", .spoil = [](Descriptor& d) { d.sizes.report += 8; }},
    {.name = "smaller_report", .spoil = [](Descriptor& d) { d.sizes.report -= 8; }},
    {.name = "no_stage", .spoil = [](Descriptor& d) { d.stages = 0; }},
    {.name = "duplicate_metric", .spoil = [](Descriptor& d) { d.produces = kTakenMetrics; }},
    {.name = "banana", .spoil = [](Descriptor& d) { d.version = "banana"; }},
    {.name = "bad_default", .spoil = [](Descriptor& d) { d.options = kBadDefaults; }},
    {.name = "anothers_metric", .spoil = [](Descriptor& d) { d.produces = kAnothersMetrics; }},
    {.name = "nobodys_metric", .spoil = [](Descriptor& d) { d.consumes = kNobodysMetrics; }},
    {.name = "misspelt",  // its list of columns, so that it declares none
     .analyze = [](const Report& r, ReportSink& sink) { sink.fact(kStudyValue, static_cast<double>(r.kernels->rows)); },
     .spoil = [](Descriptor& d) { d.needs = d.wants = {}; }},
    // What goes wrong in a call.
    {.name = "throwing_constructor", .construct = [] { throw std::runtime_error("no licence"); }},
    {.name = "throwing_analyze",
     .analyze = [](const Report&, ReportSink&) { throw std::runtime_error("lost the thread"); }},
    {.name = "throwing_int", .analyze = [](const Report&, ReportSink&) { throw 42; }},
    {.name = "throwing_conclude", .conclude = [](StudySink&) { throw std::runtime_error("no conclusion"); }},
    {.name = "undeclared_metric", .analyze = [](const Report&, ReportSink& sink) { sink.fact("never.declared", 1); }},
    {.name = "nan_fact", .analyze = [](const Report&, ReportSink& sink) { sink.fact(kStudyValue, std::nan("")); }},
    {.name = "duplicate_fact", .analyze = [](const Report&, ReportSink& sink) { sink.fact(kValue, 2); }},
    {.name = "swallowing", .analyze = emit_undeclared_and_swallow},
    {.name = "duplicate_in_conclude", .conclude = [](StudySink& sink) { sink.report_fact(0, kValue, 2); }},
    {.name = "crashing_constructor", .construct = [] { std::raise(SIGSEGV); }},
    {.name = "crashing", .analyze = [](const Report&, ReportSink&) { std::raise(SIGSEGV); }},
    {.name = "crashing_conclude", .conclude = [](StudySink&) { std::abort(); }},
    {.name = "crashing_gather", .gather = [] { std::raise(SIGSEGV); }},
    {.name = "hanging", .analyze = [](const Report&, ReportSink&) { sleep_long(); }},
    {.name = "hanging_conclude", .conclude = [](StudySink&) { sleep_long(); }},
    {.name = "hanging_on",
     .analyze = [](const Report&, ReportSink&) { std::raise(SIGTERM), std::raise(SIGTERM), sleep_long(); }},
    {.name = "eating", .analyze = allocate_without_end},
    {.name = "exiting", .analyze = [](const Report&, ReportSink&) { std::exit(0); }},
    {.name = "exiting_conclude", .conclude = [](StudySink&) { std::quick_exit(0); }},
    {.name = "trusting",  // asks for a cell of an optional column without asking whether there is one
     .analyze =
         [](const Report& r, ReportSink&) {
           if (r.kernels != nullptr && r.kernels->rows > 0) static_cast<void>(r.kernels->grid_y[0]);
         }},
    {.name = "printing", .analyze = [](const Report&, ReportSink&) { std::puts("hello"); }},
    {.name = "leaving", .analyze = [](const Report&, ReportSink&) { std::_Exit(0); }},
    {.name = "differing", .analyze = [](const Report&, ReportSink& sink) { sink.fact(kStudyValue, next_number()); }},
    {.name = "differing_conclude",
     .conclude = [](StudySink& sink) { sink.skip(kNone, std::to_string(next_number())); }},
    {.name = "quadratic", .analyze = run_in_quadratic_time},
    // What a library does as soon as it is loaded, or when it is let go of.
    {.name = "counting_loads", .at_load = count_load},
    {.name = "aborting_at_load", .at_load = [] { std::fputs("no licence\n", stderr), std::abort(); }},
    {.name = "throwing_at_load", .at_load = [] { throw 42; }},
    {.name = "spinning_at_load", .at_load = spin},
    {.name = "waiting_at_load", .at_load = sleep_long},
    {.name = "exiting_at_load", .at_load = [] { std::exit(7); }},
    {.name = "leaving_at_load", .at_load = [] { std::_Exit(0); }},
    {.name = "aborting_at_unload", .at_unload = [] { std::abort(); }},
};

const Behaviour* own_behaviour() {
  Dl_info library{};
  dladdr(&kBehaviours, &library);
  std::string_view name = library.dli_fname;
  name.remove_prefix(name.rfind('/') + 1);
  name = name.substr(0, name.find('.'));
  for (const Behaviour& one : kBehaviours) {
    if (one.name == name) return &one;
  }
  std::fprintf(stderr, "%s is called like none of the behaviours in broken.cpp\n", library.dli_fname);
  std::abort();
}

const Behaviour* const kOwn = own_behaviour();
const std::string kId(kOwn->name), kValue = kId + ".value", kStudyValue = kId + ".study_value";
const MetricSpec kMetrics[] = {{Str(kValue), "1", Polarity::kNeutral, "A value of the report."},
                               {Str(kStudyValue), "1", Polarity::kNeutral, "A value of the study."}};

struct Misbehaving {
  static constexpr std::string_view kSummary = "Breaks one rule.";
  static constexpr ColumnId kWants[] = {col::kernels, col::kernel_grid};

  explicit Misbehaving(const Options&) {
    if (kOwn->construct != nullptr) kOwn->construct();
  }
  void analyze(const Report& report, ReportSink& sink) const {
    sink.fact(kValue, 1);
    if (kOwn->analyze != nullptr) kOwn->analyze(report, sink);
  }
  void conclude(const Study&, StudySink& sink) const {
    sink.fact(kStudyValue, 1);
    if (kOwn->conclude != nullptr) kOwn->conclude(sink);
  }
};

/// Hands rows of each rank to `gather`.
struct Ranking {
  static constexpr std::string_view kSummary = "Looks at ranks.";
  explicit Ranking(const Options&) {}
  void analyze(const Report&, ReportSink& sink) const {
    Table rows("rows", "Rows");
    rows.add("row", "1", std::vector<std::int64_t>{1});
    sink.rank_rows(rows);
  }
  void gather(const Job&, JobSink&) const { kOwn->gather(); }
};

Descriptor own_descriptor() {
  if (kOwn->at_load != nullptr) kOwn->at_load();
  const bool good = kOwn->at_load != nullptr || kOwn->at_unload != nullptr;
  Descriptor d = good                      ? detail::describe<good::Good>("good", "1.0.0")
                 : kOwn->gather != nullptr ? detail::describe<Ranking>("ranking", "1.0.0")
                                           : detail::describe<Misbehaving>("misbehaving", "1.0.0");
  d.id = Str(kId);
  if (!good) d.produces = kMetrics;
  if (kOwn->spoil != nullptr) kOwn->spoil(d);
  return d;
}

__attribute__((destructor)) void at_unload() {
  if (kOwn->at_unload != nullptr) kOwn->at_unload();
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) extern const Descriptor assay_plugin;
const Descriptor assay_plugin = own_descriptor();
}
