// The command lines of what concerns single plugins: check, bench, and run --isolate.
#pragma once

#include <CLI/CLI.hpp>

#include "app/bench.hpp"
#include "app/check.hpp"
#include "app/run.hpp"

namespace assay {

/// --isolate and its limits.
void add_isolation(CLI::App& command, RunOptions& to);

CLI::App* add_check(CLI::App& app, CheckOptions& to);
CLI::App* add_bench(CLI::App& app, BenchOptions& to);

}  // namespace assay
