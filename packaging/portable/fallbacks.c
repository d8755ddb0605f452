// What the headers of today take for granted and glibc 2.28 lacks. Linked, hidden, into whatever uses one of these; stubs.py.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

// Without <sys/stat.h>, which says that these are in the C library.
struct stat;
#ifdef __x86_64__
enum { kStatVersion = 1 };
#else
enum { kStatVersion = 0 };
#endif
int __xstat(int version, const char* path, struct stat* to);
int __lxstat(int version, const char* path, struct stat* to);
int __fxstat(int version, int file, struct stat* to);
int __fxstatat(int version, int folder, const char* path, struct stat* to, int flags);
HIDDEN int stat(const char* path, struct stat* to) { return __xstat(kStatVersion, path, to); }
HIDDEN int lstat(const char* path, struct stat* to) { return __lxstat(kStatVersion, path, to); }
HIDDEN int fstat(int file, struct stat* to) { return __fxstat(kStatVersion, file, to); }
HIDDEN int fstatat(int folder, const char* path, struct stat* to, int flags) { return __fxstatat(kStatVersion, folder, path, to, flags); }
// With 64 bits a file's size needs no second kind of functions.
HIDDEN int stat64(const char* path, struct stat* to) { return stat(path, to); }
HIDDEN int lstat64(const char* path, struct stat* to) { return lstat(path, to); }
HIDDEN int fstat64(int file, struct stat* to) { return fstat(file, to); }
HIDDEN int fstatat64(int folder, const char* path, struct stat* to, int flags) { return fstatat(folder, path, to, flags); }

// "There may be other threads": reference counts stay atomic.
HIDDEN char __libc_single_threaded = 0;

HIDDEN uint32_t arc4random(void) {
  uint32_t value = 0;
  while (syscall(SYS_getrandom, &value, sizeof(value), 0) != (long)sizeof(value)) continue;
  return value;
}

// A deadline of another clock, as one of the clock that 2.28 waits by. Who sets that clock meanwhile waits that much longer or shorter.
static struct timespec by_real_time(clockid_t clock, const struct timespec* deadline) {
  if (clock == CLOCK_REALTIME) return *deadline;
  struct timespec now, real;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &real);
  const long long ns = (deadline->tv_sec - now.tv_sec + real.tv_sec) * 1000000000LL + deadline->tv_nsec - now.tv_nsec + real.tv_nsec;
  return (struct timespec){ns / 1000000000, ns % 1000000000};
}
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* deadline) {
  const struct timespec until = by_real_time(clock, deadline);
  return pthread_cond_timedwait(condition, mutex, &until);
}
HIDDEN int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* deadline) {
  const struct timespec until = by_real_time(clock, deadline);
  return pthread_mutex_timedlock(mutex, &until);
}
