// What the operations of an errorcheck mutex return: relock, unlock by a stranger, unlock while free.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include "shake.h"

#include <errno.h>

pthread_mutex_t m;

static const char *name(int code) {
    switch (code) {
    case 0: return "ok";
    case EDEADLK: return "EDEADLK";
    case EPERM: return "EPERM";
    case EBUSY: return "EBUSY";
    default: return "other";
    }
}

void *stranger(void *arg) {
    SHAKE();
    int tried = pthread_mutex_trylock(&m);
    if (tried == 0) {
        pthread_mutex_unlock(&m);
    }
    printf("[%s]", name(tried));
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attribute;
    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attribute);
    printf("%s ", name(pthread_mutex_unlock(&m)));
    pthread_create(&t, 0, stranger, 0);
    SHAKE();
    int first = pthread_mutex_lock(&m);
    SHAKE();
    int second = pthread_mutex_lock(&m);
    int third = pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    printf("%s %s %s\n", name(first), name(second), name(third));
    return 0;
}
