// A shared library like any other: it has nothing to do with assay.
extern "C" __attribute__((visibility("default"))) int answer() { return 42; }
