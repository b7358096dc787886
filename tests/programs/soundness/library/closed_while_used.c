// PROPERTY no-data-race
// EXPECT violated
// NONDET 3..3
#include <pthread.h>
#include <stdio.h>
static FILE *file;
static void *thread(void *argument) {
    fputc('x', file); // RACE
    return 0;
}
int main(void) {
    pthread_t other;
    file = fopen("name", "w");
    if (!file)
        return 1;
    pthread_create(&other, 0, thread, 0);
    fclose(file); // RACE
    pthread_join(other, 0);
    return 0;
}
