// Entry point only: the library around run_program is compiled with its own precompiled headers.
#include "cli/program.hpp"

int main(int argc, char** argv) { return assay::run_program(argc, argv); }
