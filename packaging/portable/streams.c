// Archives that Debian built for programs take stdin, stdout and stderr from a place in the program itself, which a library has not: in
// those that assay.so is linked with (relink.py) they have these names.
#include <stdio.h>

__attribute__((visibility("hidden"))) FILE *assay_stdin, *assay_stdout, *assay_stderr;

__attribute__((constructor)) static void take_streams(void) {
  assay_stdin = stdin;
  assay_stdout = stdout;
  assay_stderr = stderr;
}
