// Every string is printed when nobody writes it any more.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdio.h>
#include <string.h>

char message[16] = "start";

void *worker(void *arg) {
    strcpy(message, "working");
    return 0;
}

int main(void) {
    pthread_t a;
    printf("%s\n", message);
    pthread_create(&a, 0, worker, 0);
    pthread_join(a, 0);
    printf("%5d %-8s|%.3s\n", 1, message, message);
    puts(message);
    fputs(message, stdout);
    return 0;
}
