// timed line|end|cpu|memory COUNT COMMAND [ARGUMENT...]: runs COMMAND COUNT times. For each run it prints in
// microseconds the time from before the start to the first line (line) or to the end (end), or the processor time of
// the program and of the kernel on its behalf (cpu); or its peak memory in kB (memory). Linux includes the memory of
// the process that starts the program, which is small here.
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double microseconds(struct timeval time)
{
    return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

enum until { first_line, its_end, processor, memory };
static const char *const untils[] = {"line", "end", "cpu", "memory"};

static double run(char **command, enum until until)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        err(EX_OSERR, "pipe2");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    pid_t child;
    double start = clock_now(), line = 0;
    int failure = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
    if (failure)
        errx(EX_UNAVAILABLE, "%s: %s", command[0], strerror(failure));
    close(ends[1]);
    char bytes[65536];
    for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0;) {
        if (!memchr(bytes, '\n', (size_t)got) || line > 0)
            continue;
        line = clock_now();
        if (until == first_line)
            kill(child, SIGTERM);
    }
    int status;
    struct rusage used;
    wait4(child, &status, 0, &used);
    double end = clock_now();
    close(ends[0]);
    posix_spawn_file_actions_destroy(&actions);
    if (line == 0)
        errx(EX_DATAERR, "%s wrote no line", command[0]);
    if (until != first_line && status != 0)
        errx(EX_DATAERR, "%s failed", command[0]);
    if (until == processor)
        return microseconds(used.ru_utime) + microseconds(used.ru_stime);
    if (until == memory)
        return (double)used.ru_maxrss;
    return (until == first_line ? line : end) - start;
}

int main(int count, char **arguments)
{
    if (count < 4)
        errx(EX_USAGE, "usage: timed line|end|cpu|memory COUNT COMMAND [ARGUMENT...]");
    enum until until = first_line;
    while (strcmp(arguments[1], untils[until]) != 0)
        if (++until > memory)
            errx(EX_USAGE, "it is timed until its 'line' or its 'end', or its 'cpu' or 'memory' is taken, not '%s'",
                 arguments[1]);
    for (int left = atoi(arguments[2]); left > 0; left--)
        printf("%.1f\n", run(arguments + 3, until));
}
