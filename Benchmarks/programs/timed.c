// timed line|end COUNT COMMAND [ARGUMENT...]: runs COMMAND COUNT times and writes of each run, in
// microseconds, the time from before it is started to its first line, or to its end.
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static double run(char **command, int to_line)
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
        if (to_line)
            kill(child, SIGTERM);
    }
    int status;
    waitpid(child, &status, 0);
    double end = clock_now();
    close(ends[0]);
    posix_spawn_file_actions_destroy(&actions);
    if (line == 0)
        errx(EX_DATAERR, "%s wrote no line", command[0]);
    if (!to_line && status != 0)
        errx(EX_DATAERR, "%s failed", command[0]);
    return (to_line ? line : end) - start;
}

int main(int count, char **arguments)
{
    if (count < 4)
        errx(EX_USAGE, "usage: timed line|end COUNT COMMAND [ARGUMENT...]");
    for (int left = atoi(arguments[2]); left > 0; left--)
        printf("%.1f\n", run(arguments + 3, strcmp(arguments[1], "line") == 0));
}
