#include "stand_in.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/temp_folder.hpp"

namespace assay::testing {
namespace fs = std::filesystem;
namespace {

constexpr const char* kNsys = R"sh(
if [ "$1" = --version ]; then echo 'NVIDIA Nsight Systems version 2025.1.3.140-251335620677v0'; exit 0; fi
if [ "$1 $2 $3 $4 $5 $6 $#" != 'export --type sqlite --force-overwrite true -o 8' ]; then
  echo "nsys: $# arguments not understood: $*" >&2; exit 64
fi
out=$7 report=$8
echo call >> "$here/calls"
read -r word < "$report"
printf '\rExporting 152 events: [1%%   ]\rExporting 152 events: [=100%%]\n' >&2
case $word in
  export) cp "$here/export.sqlite" "$out" ;;
  fail) echo 'Exportation error: Section Table Reference magic number mismatch.' >&2; exit 1 ;;
  hang)
    echo 'Working on it' >&2
    sleep 3600 & echo $! > "$here/process.new"
    mv "$here/process.new" "$here/process"; wait ;;
  half) head -c 30000 "$here/export.sqlite" > "$out" ;;
  broken) head -c 30000 "$here/export.sqlite" > "$out"; echo 'Exportation error: disk I/O error' >&2; exit 1 ;;
  crash) kill -SEGV $$ ;;
  nothing) ;;
  newer)
    printf 'Exportation error: Report was created in Nsight Systems version (2026.3.1),\nnewer than ' >&2
    printf 'your current version (2025.1.3).\n' >&2
    exit 1 ;;
  noisy) head -c 1000000 /dev/zero | tr '\0' x >&2; echo >&2; echo 'the last line' >&2; exit 2 ;;
  touch) cp "$here/export.sqlite" "$out"; echo more >> "$report" ;;
  orphan) cp "$here/export.sqlite" "$out"; sleep 3600 & echo $! > "$here/process" ;;
  meet)
    echo here >> "$here/met"
    while [ "$(wc -l < "$here/met")" -lt 4 ]; do sleep 0.02; done
    cp "$here/export.sqlite" "$out" ;;
  alone)
    mkdir "$here/alone" || exit 1
    sleep 0.1; cp "$here/export.sqlite" "$out"; rmdir "$here/alone" ;;
  *) echo "nsys: no such report: $word" >&2; exit 65 ;;
esac
)sh";

constexpr const char* kNcu = R"sh(
if [ "$1" = --version ]; then
  echo 'NVIDIA (R) Nsight Compute Command Line Profiler'
  echo 'Version 2024.2.0.0 (build 34181891) (public-release)'
  exit 0
fi
if [ "$1 $3 $4 $#" != '--import --csv --page 5' ]; then echo '==ERROR== arguments not understood'; exit 64; fi
echo call >> "$here/calls"
read -r word < "$2"
case $word in
  export) printf '"ID","Process ID","Kernel Name","Page"\n"0","7","gemm","%s"\n' "$5" ;;
  half) printf '"ID","Process ID","Kernel Name"\n"0","7","ge' ;;
  nothing) echo '==WARNING== No kernels were profiled.' ;;
  fail) echo "==ERROR== Failed to load report file '$2'."; exit 1 ;;
  *) echo "==ERROR== no such report: $word"; exit 65 ;;
esac
)sh";

/// Enough rows for several pages, and last the table that nsys writes last.
std::string made_export() {
  MadeExport made;
  made.with_calls().with_kernels();
  for (int i = 0; i < 600; ++i)
    made.call(1000 * i, 1000 * i + 10, tid(1, 1), i).kernel(1000 * i + 20, 1000 * i + 90, pid(1), i);
  made.add(
      "CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);"
      "INSERT INTO META_DATA_EXPORT VALUES('EXPORT_PRODUCT_VERSION','2025.1.3.140');");
  return read_text(made.write());
}

}  // namespace

void write_program(const fs::path& file, const std::string& script) {
  write_text(file, "#!/bin/sh\n" + script);
  fs::permissions(file, fs::perms::owner_all);
}

std::vector<std::string> all_below(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_folder = entry.is_directory() && !entry.is_symlink();
    names.push_back(entry.path().lexically_relative(folder).native() + (is_folder ? "/" : ""));
  }
  std::sort(names.begin(), names.end());
  return names;
}

StandIn::StandIn() : export_(made_export()) {
  const std::string here = "here='" + folder_.path().native() + "'\n";
  write_program(nsys(), here + kNsys);
  write_program(ncu(), here + kNcu);
  write_text(folder_.path() / "export.sqlite", export_);
}

std::size_t StandIn::calls() const {
  const std::string lines = read_text(folder_.path() / "calls");
  return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
}

void StandIn::wait_for_process() const {
  for (int i = 0; i < 6000; ++i, usleep(10000)) {
    if (fs::exists(folder_.path() / "process")) return;
  }
  throw std::runtime_error("no stand-in was started");
}

/// A killed process takes a moment to go; one that has ended and that nobody has asked about yet is gone.
bool StandIn::left_running() const {
  wait_for_process();
  const std::string number = std::to_string(std::stoi(read_text(folder_.path() / "process")));
  for (int i = 0; i < 1000; ++i, usleep(10000)) {
    const std::string state = read_text("/proc/" + number + "/stat");
    const std::size_t bracket = state.rfind(')');
    if (bracket == std::string::npos || state.compare(bracket, 4, ") Z ") == 0) return false;
  }
  return true;
}

}  // namespace assay::testing
