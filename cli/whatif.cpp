#include <iostream>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "config/installed_options.hpp"
#include "difference/measure.hpp"
#include "difference/side.hpp"
#include "render/text.hpp"
#include "whatif/page.hpp"

namespace assay {
namespace {

constexpr std::size_t kMostGains = 10;

struct WhatIfOptions {
  std::vector<std::filesystem::path> places;
  std::vector<std::string> scale, remove, overlap, replace;
  std::optional<double> launch_cost;
  std::vector<std::string> iterations;
  RowFormat format = RowFormat::kTable;
};

Result<std::vector<whatif::Asked>> changes_of(const WhatIfOptions& options) {
  std::vector<whatif::Asked> changes;
  const auto add = [&](const std::vector<std::string>& texts, const auto& read) -> Status {
    for (const std::string& text : texts) {
      Result<whatif::Asked> change = read(text);
      if (!change) return change.error();
      changes.push_back(std::move(*change));
    }
    return ok();
  };
  for (const Status& read :
       {add(options.scale, &whatif::read_scale), add(options.remove, &whatif::read_remove),
        add(options.overlap, &whatif::read_overlap), add(options.replace, &whatif::read_replace)}) {
    if (!read) return read.error();
  }
  if (options.launch_cost) changes.push_back(whatif::launch_cost(*options.launch_cost));
  return changes;
}

Exit what_if(const WhatIfOptions& options) {
  const Result<std::vector<whatif::Asked>> changes = changes_of(options);
  if (!changes) return fail(changes.error());
  const Result<std::vector<FoundFile>> files = difference::profiles_at({"REPORT", options.places});
  if (!files) return fail(files.error());
  const std::vector<std::string> steps =
      options.iterations.empty() ? difference::usual_step_names() : options.iterations;
  std::vector<whatif::Run> runs;
  for (const FoundFile& file : *files) {
    Result<whatif::Run> run = whatif::read_run(file, steps);
    if (!run && files->size() == 1) return fail(run.error());
    if (!run)
      std::cerr << one_line(run.error().sentence) << "\n";
    else
      runs.push_back(std::move(*run));
  }
  if (runs.empty()) return fail({"none of the profiles can be replayed", Exit::kFailed});
  const NameRules classes = installed_kernel_rules();
  std::vector<whatif::Prediction> predictions;
  if (changes->empty()) {
    predictions = whatif::largest_gains(runs, classes, kMostGains);
  } else {
    Result<whatif::Prediction> one = whatif::predict(runs, *changes, classes);
    if (!one) return fail(one.error());
    predictions.push_back(std::move(*one));
  }
  if (options.format != RowFormat::kTable) {
    whatif::write_rows(predictions, options.format, std::cout);
    return Exit::kOk;
  }
  whatif::print_runs(runs, std::cout, table_width());
  if (changes->empty())
    whatif::print_gains(predictions, std::cout, table_width());
  else
    whatif::print_prediction(predictions.front(), std::cout, table_width());
  return Exit::kOk;
}

}  // namespace

void add_whatif(CommandLine& line) {
  constexpr const char* kFooter =
      R"(The run is replayed with the change: waits come out anew, and with them the length of an iteration. Without a change asked
for, the ten changes that gain most alone. Several changes are made together; several profiles are repeat runs of one program.
A gain that is smaller than what the replay is off by without a change is not told. docs/whatif.md says how far to trust it.

Examples:
  assay whatif profile.sqlite
  assay whatif trace.json.gz --scale 'operator:aten::scaled_dot_product_attention=0.2'
  assay whatif base_*.sqlite --remove sync --overlap copy:h2d
  assay whatif trace.json.gz --replace 'operator:aten::layer_norm=2,1,40us'
  assay whatif profile.sqlite --scale 'range:data=0' --iterations 'train_{i}')";
  const auto options = std::make_shared<WhatIfOptions>();
  CLI::App& command = line.add("whatif", "Predict what a change of a run would gain, by replaying the run with it",
                               kFooter, options, &what_if);
  command.add_option("report", options->places, "Profiles of one program, or folders of them")
      ->required()
      ->type_name("REPORT...");
  const auto add_texts = [&](const char* name, std::vector<std::string>& to, const char* help, const char* type) {
    command.add_option(name, to, help)->type_name(type)->allow_extra_args(false);
  };
  add_texts("--scale", options->scale,
            "Times of kernels, operators, classes of kernels, ranges (with the host's code) or "
            "copies, multiplied, e.g. 'kernel:*softmax*=0.5'; may be repeated",
            "WHAT:NAME=FACTOR");
  add_texts("--remove", options->remove, "'sync': calls that wait for the device come back at once", "sync");
  add_texts("--overlap", options->overlap, "Copies run beside the rest, and nobody waits for them, e.g. copy:h2d",
            "copy:DIRECTION");
  command
      .add_option("--launch-cost", options->launch_cost,
                  "What the host does for a launch, multiplied, e.g. 0.3: what a CUDA graph saves")
      ->type_name("FACTOR")
      ->check(in_range(0.0, 1000.0));
  add_texts("--replace", options->replace,
            "One operator in the place of another: calls, launches and device time of each, e.g. "
            "'operator:aten::layer_norm=2,1,40us'",
            "operator:NAME=CALLS,LAUNCHES,TIME");
  add_texts("--iterations", options->iterations, "Name of the ranges of iterations, e.g. 'step_{i}'; may be repeated",
            "NVTX");
  document::add_rows(command, options->format);
}

}  // namespace assay
