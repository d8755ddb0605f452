// The command line: from arguments to one call.
#pragma once

namespace assay {

/// All that `main` does; the exit code.
int run_program(int argc, char** argv);

}  // namespace assay
