// Nothing but the entry: what stands in the library is compiled with its precompiled headers.
#include "cli/program.hpp"

int main(int argc, char** argv) { return assay::run_program(argc, argv); }
