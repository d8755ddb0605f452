// bin/assay of the tarball and the wheel: loads assay.so, which is all of the program, with the newer of two C++ libraries. Analyzers of
// others are built where they are used and may ask for what that system's libstdc++ has and ours lacks; so ours is for systems whose own
// lacks what assay asks for. Versions are looked at before anything runs: a load that fails leaves nothing behind. (In C, with nothing to
// run before main(): a glibc before 2.34 leaves that to a start file of its own time.)
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

// Not below lib, which `pip install --target` leaves out of a wheel's data.
#define FOLDER "$ORIGIN/../libexec/assay/"

typedef void (*Leave)(int);
static Leave leave, leave_quickly, leave_at_once;

static _Noreturn void leave_by(Leave function, int code) {
  if (function != NULL) function(code);
  for (;;) raise(SIGKILL);
}
// Plugins find these before the C library's, and assay has its own word on who ends it (cli/early_exit.cpp).
_Noreturn void exit(int code) { leave_by(leave, code); }
_Noreturn void quick_exit(int code) { leave_by(leave_quickly, code); }
_Noreturn void _exit(int code) { leave_by(leave_at_once, code); }
_Noreturn void _Exit(int code) { leave_by(leave_at_once, code); }

int main(int argc, char** argv) {
  char why[1000] = "";
  void* program = dlopen(FOLDER "assay.so", RTLD_LAZY);
  if (program == NULL) {
    strncat(why, dlerror(), sizeof(why) - 1);
    if (dlopen(FOLDER "older_systems/libstdc++.so.6", RTLD_LAZY) != NULL) program = dlopen(FOLDER "assay.so", RTLD_LAZY);
  }
  if (program == NULL) {
    fprintf(stderr, "assay: cannot be loaded (%s; with its own C++ library: %s); is the folder whole, and is /proc mounted?\n", why,
            dlerror());
    return 127;
  }
  leave = (Leave)dlsym(program, "exit");
  leave_quickly = (Leave)dlsym(program, "quick_exit");
  leave_at_once = (Leave)dlsym(program, "_exit");
  int (*const run)(int, char**) = (int (*)(int, char**))dlsym(program, "main");
  return run(argc, argv);
}
