/* Starts the sedge command in an image, in which there is no shell. What launcher/machine.sh does on a gateway is done when
 * the image is built: its words for each command lie in START, one file for a command. This program takes the file of
 * the command that it is given, fits the heap to what the container may use, and becomes the virtual machine. What runs on has
 * the container to itself, but for one command at a time, as by `kubectl exec`, which has the heap of everywhere.
 *
 * Lines of a file: "env NAME=VALUE", "heap RESERVE LEAST" (MB), "refuse MESSAGE", "arg WORD".
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START "/usr/lib/sedge/start/"
#define MAX_LINE 65536
#define MAX_WORDS 1024
/* Where a limit of megabytes begins to be none: machines have less. */
#define NO_LIMIT (1L << 30)
/* What a command takes that is typed beside a device or a center, and the limit from which on there is room for it. */
#define BESIDE 80
#define ROOM_BESIDE 384

static char *words[MAX_WORDS + 1];
static int count;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "sedge: %s: %s\n", what, why);
  exit(1);
}

static char *copy(const char *text) {
  char *result = strdup(text);
  if (result == NULL) {
    fail("starting", "there is no memory");
  }
  return result;
}

static void add(const char *word) {
  if (count == MAX_WORDS) {
    fail("starting", "more than 1024 words");
  }
  words[count++] = copy(word);
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Megabytes of a size such as 256m or 1g; 0 if it is none. */
static long megabytes(const char *size) {
  char *unit;
  if (size == NULL || *size < '0' || *size > '9') {
    return 0;
  }
  long number = strtol(size, &unit, 10);
  if (number <= 0 || number >= NO_LIMIT || strlen(unit) != 1) {
    return 0;
  }
  return *unit == 'g' || *unit == 'G' ? number * 1024 : *unit == 'm' || *unit == 'M' ? number : 0;
}

/* Megabytes that a file of a control group allows; 0 if it allows all or is not there. */
static long allowed(const char *file) {
  char text[64] = "";
  FILE *in = fopen(file, "re");
  if (in == NULL) {
    return 0;
  }
  bool read = fgets(text, sizeof text, in) != NULL;
  fclose(in);
  long long bytes = read ? atoll(text) : 0; /* "max" is 0 */
  long limit = (long)(bytes >> 20);
  long machine = (long)((long long)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) >> 20);
  return limit > 0 && limit < machine ? limit : 0;
}

/* What this container may use; 0 if that is all of the machine. A name space of its own shows its group as the root. */
static long container(void) {
  char line[4096];
  char file[4352];
  long limit = allowed("/sys/fs/cgroup/memory.max");
  limit = limit != 0 ? limit : allowed("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  FILE *in = limit == 0 ? fopen("/proc/self/cgroup", "re") : NULL;
  while (in != NULL && limit == 0 && fgets(line, sizeof line, in) != NULL) {
    line[strcspn(line, "\n")] = 0;
    char *path = strrchr(line, ':');
    if (begins(line, "0::")) {
      snprintf(file, sizeof file, "/sys/fs/cgroup%s/memory.max", path + 1);
      limit = allowed(file);
    } else if (strstr(line, ":memory:") != NULL) {
      snprintf(file, sizeof file, "/sys/fs/cgroup/memory%s/memory.limit_in_bytes", path + 1);
      limit = allowed(file);
    }
  }
  if (in != NULL) {
    fclose(in);
  }
  return limit;
}

static const char *word(int argc, char **argv, int at) { return at < argc ? argv[at] : ""; }

/* Whether others may type commands beside it: a device and a center run on. */
static bool runs_on(int argc, char **argv) {
  const char *first = word(argc, argv, 1);
  const char *second = word(argc, argv, 2);
  return (strcmp(first, "device") == 0 && (strcmp(second, "start") == 0 || strcmp(second, "join") == 0)) ||
         (strcmp(first, "center") == 0 && strcmp(second, "start") == 0);
}

/* What --memory SIZE says to a device; 0 if nothing. */
static long asked(int argc, char **argv) {
  long size = 0;
  for (int i = 1; i < argc && strcmp(argv[1], "device") == 0; i++) {
    if (begins(argv[i], "--memory=")) {
      size = megabytes(argv[i] + strlen("--memory="));
    } else if (strcmp(argv[i], "--memory") == 0) {
      size = megabytes(word(argc, argv, i + 1));
    }
  }
  return size;
}

/* The heap in megabytes: what is allowed less what is not heap, and a quarter of a container's limit stays free. */
static long heap(long size, long limit, long beside, long reserve, long least) {
  long room = limit >= ROOM_BESIDE ? limit - beside : limit;
  long most = size != 0 && (limit == 0 || size < room) ? size : room;
  if (most == 0) {
    return 0;
  }
  long result = most - reserve;
  if (limit != 0 && result > limit / 4 * 3) {
    result = limit / 4 * 3;
  }
  return result > least ? result : least;
}

/* Whether a word may be part of a file's name: empty ones and dots would name the directory. */
static bool plain(const char *text) { return *text != 0 && text[strspn(text, "abcdefghijklmnopqrstuvwxyz-")] == 0; }

/* The file of the command: of its two words, of the first one, or of all others. */
static FILE *open_start(int argc, char **argv) {
  char name[256];
  const char *console = "";
  const char *first = word(argc, argv, 1);
  const char *second = word(argc, argv, 2);
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--console") == 0 || begins(argv[i], "--console=")) {
      console = "+console";
    }
  }
  FILE *found = NULL;
  if (plain(first) && plain(second)) {
    snprintf(name, sizeof name, START "%.64s.%.64s%s", first, second, console);
    found = fopen(name, "re");
  }
  if (found == NULL && plain(first)) {
    snprintf(name, sizeof name, START "%.64s%s", first, console);
    found = fopen(name, "re");
  }
  if (found == NULL) {
    snprintf(name, sizeof name, START "other%s", console);
    found = fopen(name, "re");
  }
  if (found == NULL) {
    fail(name, strerror(errno));
  }
  return found;
}

static void add_options_of_this_start(void) {
  char *options = copy(getenv("JAVA_OPTS") == NULL ? "" : getenv("JAVA_OPTS"));
  for (char *word = strtok(options, " \t\n"); word != NULL; word = strtok(NULL, " \t\n")) {
    add(word);
  }
  const char *terminals[] = {"-Dsedge.in=terminal", "-Dsedge.out=terminal", "-Dsedge.err=terminal"};
  for (int i = 0; i < 3; i++) {
    if (isatty(i)) {
      add(terminals[i]);
    }
  }
}

int main(int argc, char **argv) {
  static char line[MAX_LINE];
  char largest[64] = "";
  bool on = runs_on(argc, argv);
  bool fitted = on || strcmp(word(argc, argv, 1), "run") == 0;
  long bound = 0; /* of a heap that is not fitted */
  FILE *in = open_start(argc, argv);
  while (fgets(line, sizeof line, in) != NULL) {
    size_t length = strcspn(line, "\n");
    if (line[length] == 0) {
      fail("starting", "a line of a file in " START " has no end");
    }
    line[length] = 0;
    long reserve;
    long least;
    if (begins(line, "env ")) {
      char *value = strchr(line, '=');
      if (value == NULL) {
        fail("starting", line);
      }
      *value = 0;
      setenv(line + 4, value + 1, 0);
    } else if (sscanf(line, "heap %ld %ld", &reserve, &least) == 2) {
      const char *given = getenv("SEDGE_HEAP");
      long size = heap(asked(argc, argv), container(), on ? BESIDE : 0, reserve, least);
      if (!fitted) { /* $SEDGE_HEAP is the device's, and `kubectl exec` hands it on */
        bound = size;
      } else if (given != NULL && *given != 0) {
        snprintf(largest, sizeof largest, "-Xmx%.32s", given);
      } else if (size != 0) {
        snprintf(largest, sizeof largest, "-Xmx%ldm", size);
      }
    } else if (begins(line, "refuse ")) {
      fprintf(stderr, "sedge: %s\n", line + strlen("refuse "));
      return 2;
    } else if (strcmp(line, "arg @options@") == 0) {
      add_options_of_this_start();
    } else if (begins(line, "arg ")) {
      if (begins(line, "arg -Xmx") && bound != 0 && bound < megabytes(line + strlen("arg -Xmx"))) {
        snprintf(largest, sizeof largest, "-Xmx%ldm", bound);
      }
      add(begins(line, "arg -Xmx") && *largest != 0 ? largest : line + 4);
    } else {
      fail("starting", line);
    }
  }
  fclose(in);
  for (int i = 1; i < argc; i++) {
    add(argv[i]);
  }
  execv(words[0], words);
  fail(words[0], strerror(errno));
}
