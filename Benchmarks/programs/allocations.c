// A library for LD_PRELOAD that counts a program's own memory allocations. With each write to standard output it
// appends the count so far to the file that ALLOCATIONS names, as a 64-bit number. It does not count allocations of
// the X libraries, since libxcb allocates for each event.
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

// glibc's functions, under the names that it provides for replacements.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern ssize_t __write(int file, const void *bytes, size_t count);

typedef struct {
    uintptr_t start, end;
} Range;

static const char *const left_out[] = {"/libX11.so", "/libxcb.so", "/libXext.so"};
enum { libraries = sizeof left_out / sizeof *left_out };

static Range ranges[libraries];
static int64_t allocations;
static int counts = -1;

static void take_range(const struct dl_phdr_info *library, Range *range)
{
    range->start = library->dlpi_addr;
    for (int part = 0; part < library->dlpi_phnum; part++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[part];
        uintptr_t end = library->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        if (segment->p_type == PT_LOAD && end > range->end)
            range->end = end;
    }
}

static int look_at(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int which = 0; which < libraries; which++)
        if (strstr(library->dlpi_name, left_out[which]))
            take_range(library, &ranges[which]);
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    dl_iterate_phdr(look_at, NULL);
    const char *name = getenv("ALLOCATIONS");
    counts = name ? open(name, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (counts < 0)
        err(EX_USAGE, "ALLOCATIONS must name a file");
}

static void count(const void *caller)
{
    for (int which = 0; which < libraries; which++)
        if ((uintptr_t)caller >= ranges[which].start && (uintptr_t)caller < ranges[which].end)
            return;
    allocations++;
}

ssize_t write(int file, const void *bytes, size_t length)
{
    if (file == STDOUT_FILENO && __write(counts, &allocations, sizeof allocations) < 0)
        err(EX_IOERR, "the count of allocations");
    return __write(file, bytes, length);
}

void *malloc(size_t size)
{
    count(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    count(__builtin_return_address(0));
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    count(__builtin_return_address(0));
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    count(__builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    count(__builtin_return_address(0));
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
