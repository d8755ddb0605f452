// Requirements of recording and converting, for `assay doctor`.
#include "record/machine_rows.hpp"

#include <fmt/core.h>

#include <atomic>
#include <fstream>

#include "convert/tool.hpp"
#include "files/program.hpp"
#include "inspect/machine_report.hpp"
#include "record/conditions.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// Of each convert::Tool.
constexpr const char* kConverts[] = {"converts .nsys-rep, records", "converts .ncu-rep, records counters"};
constexpr const char* kReadAnyway[] = {"exports to SQLite are read without it",
                                       "its reports (.ncu-rep) and CSVs are read without it"};
constexpr Helper kNumactl{"numactl", "binds recorded runs to NUMA nodes",
                          "package numactl; only [experiment] bind needs it"};

void look_for_tool(convert::Tool tool, MachineReport& findings) {
  const convert::ToolWords& words = convert::words_of(tool);
  const std::string name(words.name),
      advice = fmt::format("get {}: {}, or the package {} of NVIDIA's repository; {}", std::string(words.product),
                           std::string(words.site), std::string(words.package), kReadAnyway[static_cast<int>(tool)]);
  const Helper helper{name.c_str(), kConverts[static_cast<int>(tool)], advice.c_str()};
  const std::atomic<bool> never{false};
  const Result<convert::FoundTool> found = convert::find_tool(tool, {}, never);
  if (!found) return findings.missing(helper, found.error().sentence);
  if (found->program.empty()) return findings.missing(helper, "");
  findings.found(helper, found->program, found->version);
}

/// Finds rocprofv3 and its ROCm version.
void look_for_rocm(MachineReport& findings) {
  constexpr Helper kRocprof{"rocprofv3", "records on AMD GPUs",
                            "it comes with ROCm 7: rocm.docs.amd.com, or the package rocprofiler-sdk of AMD's "
                            "repository; its databases (.db) are read without it"};
  const auto program = program_on_path(kRocprof.name);
  if (!program) {
    std::error_code failed;
    const bool hidden = fs::exists("/opt/rocm/bin/rocprofv3", failed);
    return findings.missing(kRocprof, hidden ? "/opt/rocm/bin is not in PATH" : "");
  }
  std::error_code failed;
  const fs::path real = fs::canonical(*program, failed);
  std::ifstream file(real.parent_path().parent_path() / ".info/version");
  std::string version;
  std::getline(file, version);
  findings.found(kRocprof, *program, version.empty() ? "" : "ROCm " + one_line(version));
}

void look_for_gpus(MachineReport& findings) {
  std::error_code failed;
  if (fs::exists("/dev/kfd", failed))
    findings.row("AMD GPUs", "/dev/kfd", "-", "used for recorded runs; their clocks and temperature are not read");

  constexpr Helper kNvml{
      "NVML", "reads GPU, clocks and temperature of recorded runs",
      "libnvidia-ml.so.1 comes with the NVIDIA driver; runs on AMD GPUs are recorded without it, and "
      "profiles are read without it"};
  const record::Nvml* const nvml = record::Nvml::loaded();
  if (nvml == nullptr) return findings.missing(kNvml, "");
  findings.found(kNvml, nvml->file(), nvml->driver());
  const record::Conditions now = record::conditions_now();
  if (now.gpus.empty()) findings.advise("the NVIDIA driver lists no GPU; 'nvidia-smi -L' says why");
  for (const record::GpuState& gpu : now.gpus)
    findings.row("GPU " + gpu.index, gpu.name, "driver " + gpu.driver, "used for recorded runs");
}

}  // namespace

void describe_machine(MachineReport& to) {
  for (const convert::Tool tool : {convert::Tool::kNsys, convert::Tool::kNcu}) look_for_tool(tool, to);
  look_for_rocm(to);
  const auto numactl = program_on_path(kNumactl.name);
  numactl ? to.found(kNumactl, *numactl, "") : to.missing(kNumactl, "");
  look_for_gpus(to);
}

}  // namespace assay
