#include "CLinux.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static char *const *arguments;

/* glibc calls constructors with the arguments of main. */
__attribute__((constructor)) static void keep_arguments(int count, char *const *values)
{
    (void)count;
    arguments = values;
}

char *const *linux_arguments(void)
{
    return arguments;
}

char *const *linux_environment(void)
{
    extern char **environ;
    return environ;
}

int linux_end_with_parent(int signal)
{
    return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

/* Global, because a signal handler accepts no argument for them. */
static const char *volatile deadline_message;
static int deadline_status;

static void deadline_passed(int signal)
{
    (void)signal;
    if (!deadline_message)
        return;
    ssize_t ignored = write(STDERR_FILENO, deadline_message, strlen(deadline_message));
    (void)ignored;
    _exit(deadline_status);
}

void linux_exit_after(unsigned seconds, const char *message, int status)
{
    if (!seconds) {
        alarm(0);
        deadline_message = NULL;
        return;
    }
    deadline_status = status;
    deadline_message = message;
    signal(SIGALRM, deadline_passed);
    alarm(seconds);
}
