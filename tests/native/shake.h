// What the native runs of these programs need: pauses that differ from run to run, and output that is written at once,
// so that nothing printed is lost when the process is stopped. Under Gordian SHAKE() is nothing.
#ifndef SHAKE_H
#define SHAKE_H

#ifdef NATIVE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned shake_seed;
static unsigned shake_threads;
static __thread unsigned shake_state;

__attribute__((constructor)) static void shake_begin(void) {
    const char *seed = getenv("SHAKE");
    shake_seed = seed ? (unsigned)atoi(seed) : 0u;
    setvbuf(stdout, 0, _IONBF, 0);
}

// The next number of this thread's own sequence.
static unsigned shake_next(void) {
    if (shake_state == 0) {
        unsigned thread = __atomic_add_fetch(&shake_threads, 1, __ATOMIC_RELAXED);
        shake_state = (shake_seed * 2654435761u) ^ (thread * 2246822519u) ^ 0x9e3779b9u;
        shake_state += shake_state == 0;
    }
    shake_state ^= shake_state << 13;
    shake_state ^= shake_state >> 17;
    shake_state ^= shake_state << 5;
    return shake_state;
}

static void shake(void) {
    unsigned number = shake_next() >> 8;
    switch (number % 4) {
    case 0:
        break;
    case 1:
        sched_yield();
        break;
    case 2:
        for (volatile unsigned i = 0; i < number % 2000; i++) {
        }
        break;
    default:
        usleep(number % 200);
    }
}
#define SHAKE() shake()
#else
#define SHAKE() ((void)0)
#endif

#endif
