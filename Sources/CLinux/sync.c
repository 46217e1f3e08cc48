#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct ends {
    int requests, answers;
};

static int synchronize(const struct linux_sync *request)
{
    if (request->file >= 0 && fsync(request->file) < 0)
        return errno;
    /* Some file systems have no fsync(2) for directories, vboxsf say. */
    if (request->directory >= 0 && fsync(request->directory) < 0 && errno != EINVAL)
        return errno;
    return 0;
}

static void *serve(void *context)
{
    struct ends ends = *(struct ends *)context;
    free(context);
    struct linux_sync request;
    while (1) {
        ssize_t count = read(ends.requests, &request, sizeof request);
        if (count < 0 && errno == EINTR)
            continue;
        if (count != sizeof request)
            break;
        int answer = synchronize(&request);
        if (write(ends.answers, &answer, sizeof answer) != sizeof answer)
            break;
    }
    close(ends.requests);
    close(ends.answers);
    return NULL;
}

static int start(struct ends *ends)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, old;
    int error = pthread_attr_init(&attributes);
    if (error)
        return error;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    /* A thread inherits the mask of the one that starts it. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    error = pthread_create(&thread, &attributes, serve, ends);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

int linux_sync_thread(int requests, int answers)
{
    struct ends *ends = malloc(sizeof *ends);
    int error = ENOMEM;
    if (ends) {
        *ends = (struct ends){ requests, answers };
        error = start(ends);
        if (!error)
            return 0;
        free(ends);
    }
    close(requests);
    close(answers);
    errno = error;
    return -1;
}
