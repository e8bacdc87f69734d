/* A disk that fails on demand, preloaded before a build (LD_PRELOAD).
 *
 * Counts the calls that change files below one folder, and at the call of a given number fails it, writes half of what
 * was asked for, ends the process, or ends the file system as a power cut would. What to do stands in a file that this
 * process, its children and the test map together (FAULT_CONTROL): all of them count in one row.
 *
 * The layout of `struct control` is repeated in faults.py.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum action { NONE, FAIL, SHORT, KILL, TORN, CUT };

enum { LONGEST_PATH = 4096, MOST_CALLS = 1 << 16 };

/* Shuts an ext4 or xfs down at once; the flag 2 leaves even the journal's last transactions in memory. */
#define SHUTDOWN _IOR('X', 125, uint32_t)

struct control {
    int32_t counting;       /* 0: every call goes through, uncounted */
    int32_t at;             /* number of the call to act on, from 1 */
    int32_t action;         /* enum action */
    int32_t error;          /* errno of FAIL */
    int32_t lasting;        /* act on every later call of `lasting_kinds` too */
    int32_t swallow_fsync;  /* fsync does nothing: for tests that end processes, which lose no page of the cache */
    int32_t shutdown_flags; /* of CUT */
    int32_t count;          /* calls so far */
    int32_t acted;          /* calls acted on */
    char lasting_kinds[16];
    char root[LONGEST_PATH];
    char path[LONGEST_PATH]; /* of the first call acted on */
    char kinds[MOST_CALLS];  /* of each call: see `act_on` */
};

static struct control *control;

#define REAL(result, name, ...) \
    static result (*real_##name)(__VA_ARGS__); \
    if (!real_##name) real_##name = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void map_control(void) {
    const char *file = getenv("FAULT_CONTROL");
    REAL(int, open, const char *, int, ...);
    int descriptor = file ? real_open(file, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor < 0) return;
    void *memory = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (memory != MAP_FAILED) control = memory;
}

static int below_root(const char *path) {
    size_t length = strlen(control->root);
    return strncmp(path, control->root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The absolute path of `path` as a call with a directory's descriptor means it; of the descriptor itself without. */
static int resolve(int directory, const char *path, char *resolved) {
    if (path && path[0] == '/') return snprintf(resolved, LONGEST_PATH, "%s", path) < LONGEST_PATH;
    char link[64] = "/proc/self/cwd";
    if (directory != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, resolved, LONGEST_PATH - 1);
    if (length < 0) return 0;
    resolved[length] = 0;
    return !path || snprintf(resolved + length, LONGEST_PATH - length, "/%s", path) < LONGEST_PATH - length;
}

static void cut_power(void) {
    REAL(int, open, const char *, int, ...);
    uint32_t flags = control->shutdown_flags;
    int descriptor = real_open(control->root, O_RDONLY);
    if (descriptor < 0 || ioctl(descriptor, SHUTDOWN, &flags) != 0) control->acted = -errno;
}

/* Counts a call of a kind ('o'pen to create, 'w'rite, 's'ync, 'r'ename, 'm'kdir, 'u'nlink or rmdir, 't'runcate,
 * 'l'ink) and says what is to become of it. Does not return where the process is to end. */
static enum action act_on(char kind, int directory, const char *path) {
    char resolved[LONGEST_PATH];
    if (!control || !control->counting) return NONE;
    int before = errno;
    int counted = resolve(directory, path, resolved) && below_root(resolved);
    errno = before;
    if (!counted) return NONE;
    int number = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
    if (number <= MOST_CALLS) control->kinds[number - 1] = kind;
    int lasting = control->at && number > control->at && control->lasting && strchr(control->lasting_kinds, kind);
    if (number != control->at && !lasting) return NONE;
    if (__atomic_add_fetch(&control->acted, 1, __ATOMIC_SEQ_CST) == 1) strcpy(control->path, resolved);
    if (control->action == CUT) cut_power();
    if (control->action == KILL || control->action == CUT) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    errno = control->error;
    return control->action;
}

/* What a write of `size` bytes may write, or -1 to fail. `end` says whether the process ends after it. */
static ssize_t allowed(int descriptor, size_t size, int *end) {
    enum action action = act_on('w', descriptor, NULL);
    *end = action == TORN;
    if (action == FAIL) return -1;
    return (action == SHORT || action == TORN) && size > 1 ? (ssize_t)(size / 2) : (ssize_t)size;
}

static ssize_t ended(int end, ssize_t written) {
    if (end) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    return written;
}

ssize_t write(int descriptor, const void *data, size_t size) {
    REAL(ssize_t, write, int, const void *, size_t);
    int end;
    ssize_t most = allowed(descriptor, size, &end);
    return most < 0 ? -1 : ended(end, real_write(descriptor, data, most));
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off64_t offset) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    int end;
    ssize_t most = allowed(descriptor, size, &end);
    return most < 0 ? -1 : ended(end, real_pwrite64(descriptor, data, most, offset));
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t offset) {
    return pwrite64(descriptor, data, size, offset);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    REAL(ssize_t, writev, int, const struct iovec *, int);
    REAL(ssize_t, write, int, const void *, size_t);
    size_t size = 0;
    for (int part = 0; part < count; part++) size += parts[part].iov_len;
    int end;
    ssize_t most = allowed(descriptor, size, &end);
    if (most < 0) return -1;
    if ((size_t)most == size) return ended(end, real_writev(descriptor, parts, count));
    size_t first = parts[0].iov_len < (size_t)most ? parts[0].iov_len : (size_t)most;
    return ended(end, real_write(descriptor, parts[0].iov_base, first));
}

int fsync(int descriptor) {
    REAL(int, fsync, int);
    if (act_on('s', descriptor, NULL) == FAIL) return -1;
    return control && control->counting && control->swallow_fsync ? 0 : real_fsync(descriptor);
}

int fdatasync(int descriptor) {
    REAL(int, fdatasync, int);
    if (act_on('s', descriptor, NULL) == FAIL) return -1;
    return control && control->counting && control->swallow_fsync ? 0 : real_fdatasync(descriptor);
}

int syncfs(int descriptor) {
    REAL(int, syncfs, int);
    if (act_on('s', descriptor, NULL) == FAIL) return -1;
    return control && control->counting && control->swallow_fsync ? 0 : real_syncfs(descriptor);
}

/* The path that a rename or a link takes from, when it lies below the root, else the one it gives to. */
static int moves(char kind, int from_directory, const char *from, int to_directory, const char *to) {
    char resolved[LONGEST_PATH];
    if (!control || !control->counting) return 0;
    if (resolve(to_directory, to, resolved) && below_root(resolved)) return act_on(kind, to_directory, to) == FAIL;
    return act_on(kind, from_directory, from) == FAIL;
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    return moves('r', AT_FDCWD, from, AT_FDCWD, to) ? -1 : real_rename(from, to);
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
    REAL(int, renameat, int, const char *, int, const char *);
    if (moves('r', from_directory, from, to_directory, to)) return -1;
    return real_renameat(from_directory, from, to_directory, to);
}

int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
    REAL(int, renameat2, int, const char *, int, const char *, unsigned int);
    if (moves('r', from_directory, from, to_directory, to)) return -1;
    return real_renameat2(from_directory, from, to_directory, to, flags);
}

int link(const char *from, const char *to) {
    REAL(int, link, const char *, const char *);
    return moves('l', AT_FDCWD, from, AT_FDCWD, to) ? -1 : real_link(from, to);
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
    REAL(int, linkat, int, const char *, int, const char *, int);
    if (moves('l', from_directory, from, to_directory, to)) return -1;
    return real_linkat(from_directory, from, to_directory, to, flags);
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t);
    return act_on('m', AT_FDCWD, path) == FAIL ? -1 : real_mkdir(path, mode);
}

int mkdirat(int directory, const char *path, mode_t mode) {
    REAL(int, mkdirat, int, const char *, mode_t);
    return act_on('m', directory, path) == FAIL ? -1 : real_mkdirat(directory, path, mode);
}

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    return act_on('u', AT_FDCWD, path) == FAIL ? -1 : real_unlink(path);
}

int unlinkat(int directory, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int);
    return act_on('u', directory, path) == FAIL ? -1 : real_unlinkat(directory, path, flags);
}

int rmdir(const char *path) {
    REAL(int, rmdir, const char *);
    return act_on('u', AT_FDCWD, path) == FAIL ? -1 : real_rmdir(path);
}

int ftruncate64(int descriptor, off64_t length) {
    REAL(int, ftruncate64, int, off64_t);
    return act_on('t', descriptor, NULL) == FAIL ? -1 : real_ftruncate64(descriptor, length);
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

/* Whether an open makes a file, and so has a mode. */
static int creates(int flags) { return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE; }

int openat64(int directory, const char *path, int flags, ...) {
    REAL(int, openat64, int, const char *, int, ...);
    mode_t mode = 0;
    if (creates(flags)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
        if (act_on('o', directory, path) == FAIL) return -1;
    }
    return real_openat64(directory, path, flags, mode);
}

/* The library's other ways to open a file, which all have the mode as an optional last argument. */
#define MODE(flags, mode) \
    mode_t mode = 0; \
    if (creates(flags)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

int openat(int directory, const char *path, int flags, ...) {
    MODE(flags, mode)
    return openat64(directory, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags, mode)
    return openat64(AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...) {
    MODE(flags, mode)
    return openat64(AT_FDCWD, path, flags, mode);
}

int creat(const char *path, mode_t mode) { return openat64(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
