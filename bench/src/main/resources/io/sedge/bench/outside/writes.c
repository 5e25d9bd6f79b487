/*
 * Counts what a process writes to files and how often it asks for it to be on the disk. Loaded before the C library
 * (LD_PRELOAD), it hands calls on and counts in a file that is mapped into memory, $SEDGE_BENCH_WRITES/PID: three
 * numbers of 64 bits in the machine's own order. A process that neither writes files nor syncs has no such file.
 *
 *   0  fsync, fdatasync, msync (MS_SYNC), sync_file_range, and each write to a file that is open with O_DSYNC or O_SYNC
 *   1  bytes written to regular files
 *   2  the same in whole pages of 4 KiB: a page counts once until its file is synced, if it is written in one go. A
 *      disk has to take as much at least; what the file system writes of its own is not in it
 *
 * The system's own count (/proc/PID/io, write_bytes) is of no use here: where pages are large it counts all of one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SYNCS, BYTES, PAGE_BYTES, COUNTERS };
enum { PAGE = 4096, FILES = 1 << 16 };

static _Atomic unsigned long long *counters;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The page that was written last in each open file, and one; 0 if there is none since the last sync. */
static _Atomic long long last_page[FILES];

static void map_counters(void) {
  const char *directory = getenv("SEDGE_BENCH_WRITES");
  char path[4096];
  if (directory == NULL || snprintf(path, sizeof path, "%s/%ld", directory, (long)getpid()) >= (int)sizeof path) {
    return;
  }
  int file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {
    return;
  }
  if (ftruncate(file, COUNTERS * sizeof *counters) == 0) {
    void *mapped = mmap(NULL, COUNTERS * sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    counters = mapped == MAP_FAILED ? NULL : mapped;
  }
  close(file);
}

static void count(int which, unsigned long long much) {
  pthread_once(&once, map_counters);
  if (counters != NULL) {
    atomic_fetch_add_explicit(&counters[which], much, memory_order_relaxed);
  }
}

static void synced(int file) {
  count(SYNCS, 1);
  if (file >= 0 && file < FILES) {
    atomic_store_explicit(&last_page[file], 0, memory_order_relaxed);
  }
}

/* Bytes were written to a file; at -1 where it stands. */
static void wrote(int file, ssize_t bytes, off64_t at) {
  struct stat status;
  int error = errno;
  if (bytes > 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    off64_t from = at >= 0 ? at : lseek64(file, 0, SEEK_CUR) - bytes;
    long long first = from / PAGE;
    long long last = (from + bytes - 1) / PAGE;
    long long pages = last - first + 1;
    if (file < FILES) {
      long long before = atomic_exchange_explicit(&last_page[file], last + 1, memory_order_relaxed);
      pages -= before == first + 1;
    }
    count(BYTES, bytes);
    count(PAGE_BYTES, pages * PAGE);
    if (fcntl(file, F_GETFL) & O_DSYNC) { /* O_SYNC has this bit too */
      synced(file);
    }
  }
  errno = error;
}

#define NEXT(result, name, ...) \
  static result (*next)(__VA_ARGS__); \
  if (next == NULL) { \
    next = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name); \
  }

int fsync(int file) {
  NEXT(int, fsync, int)
  synced(file);
  return next(file);
}

int fdatasync(int file) {
  NEXT(int, fdatasync, int)
  synced(file);
  return next(file);
}

int sync_file_range(int file, off64_t from, off64_t length, unsigned int flags) {
  NEXT(int, sync_file_range, int, off64_t, off64_t, unsigned int)
  synced(file);
  return next(file, from, length, flags);
}

int msync(void *address, size_t length, int flags) {
  NEXT(int, msync, void *, size_t, int)
  if (flags & MS_SYNC) {
    synced(-1);
  }
  return next(address, length, flags);
}

ssize_t write(int file, const void *bytes, size_t length) {
  NEXT(ssize_t, write, int, const void *, size_t)
  ssize_t done = next(file, bytes, length);
  wrote(file, done, -1);
  return done;
}

ssize_t writev(int file, const struct iovec *parts, int count_of_parts) {
  NEXT(ssize_t, writev, int, const struct iovec *, int)
  ssize_t done = next(file, parts, count_of_parts);
  wrote(file, done, -1);
  return done;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
  NEXT(ssize_t, pwrite, int, const void *, size_t, off_t)
  ssize_t done = next(file, bytes, length, at);
  wrote(file, done, at);
  return done;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
  NEXT(ssize_t, pwrite64, int, const void *, size_t, off64_t)
  ssize_t done = next(file, bytes, length, at);
  wrote(file, done, at);
  return done;
}

ssize_t pwritev(int file, const struct iovec *parts, int count_of_parts, off_t at) {
  NEXT(ssize_t, pwritev, int, const struct iovec *, int, off_t)
  ssize_t done = next(file, parts, count_of_parts, at);
  wrote(file, done, at);
  return done;
}

ssize_t pwritev64(int file, const struct iovec *parts, int count_of_parts, off64_t at) {
  NEXT(ssize_t, pwritev64, int, const struct iovec *, int, off64_t)
  ssize_t done = next(file, parts, count_of_parts, at);
  wrote(file, done, at);
  return done;
}
