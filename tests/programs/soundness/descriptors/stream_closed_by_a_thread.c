// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>

static int file;

static void *reader(void *own) {
    FILE *stream = fdopen(file, "r");
    if (stream)
        fclose(stream);
    return 0;
}

int main(void) {
    pthread_t thread;
    file = open("a", O_RDONLY);
    if (file < 0)
        return 0;
    pthread_create(&thread, 0, reader, 0);
    pthread_join(thread, 0);
    assert(open("b", O_RDONLY) != file); // VIOLATION
    return 0;
}
