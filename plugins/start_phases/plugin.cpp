// Where the time goes between the start of a process and its first step.
#include "pages.hpp"
#include "phases.hpp"

namespace assay::start_phases {

inline constexpr MetricSpec kMetrics[] = {
    {"start.time_ns", "ns", Polarity::kLowerIsBetter,
     "From the first event of the process to its first step, or its first result on the host.", "time to start"},
    {"start.phase_ns", "ns", Polarity::kLowerIsBetter, "Time of one phase of the start; their sum is start.time_ns.",
     "phases of the start"}};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"start.answer", "What a process does before its first result, in one line, if most of the profile is its start."}};

class StartPhases {
 public:
  static constexpr std::string_view kSummary =
      "Shows what a process does before its first step: imports, copies to the device, first call, compiling, capture.";
  static constexpr ColumnId kWants[] = {
      col::declared,   col::properties,     col::calls,    col::call_name, col::kernels, col::kernel_name, col::copies,
      col::copy_bytes, col::copy_direction, col::os_calls, col::ranges,    col::spans,   col::overheads,   col::steps};
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;

  static constexpr OptionSpec kOptions[] = {
      {"leads", OptionType::kBool, "false",
       "Every profile has a page, with its start as headline; without, pages of an overview get a section where most "
       "of "
       "a profile is its start."},
  };

  explicit StartPhases(const Options& options) : leads_(options.boolean("leads")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    if (const std::vector<StartCompilation> compilations = compilations_of(report); !compilations.empty())
      emit_rows(compilations, sink);
    const FoundStart found = start_of(report);
    emit_rows(found, sink);
    const std::optional<Start>& start = found.start;
    if (!start) return;
    const StartMarks& marks = start->marks;
    const std::vector<Phase> phases = phases_of(*start, {});
    sink.fact("start.time_ns", static_cast<double>(marks.ready - marks.begin));
    for (const Phase& phase : phases)
      sink.fact("start.phase_ns", static_cast<double>(phase.time()), Dims().add("phase", phase.name));
    // Steps have an account of their own.
    const bool leads =
        marks.ready_kind != std::int64_t(ReadyKind::kStep) && 2 * (marks.ready - marks.begin) > marks.end - marks.begin;
    if (leads) sink.attribute("start.answer", start_line(marks, phases));
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    if (!emit_pages(view, leads_, sink)) sink.skip(kNone, "no profile begins with its process");
  }

 private:
  bool leads_;
};

ASSAY_PLUGIN("start_phases", "1.0.0", StartPhases);

}  // namespace assay::start_phases
