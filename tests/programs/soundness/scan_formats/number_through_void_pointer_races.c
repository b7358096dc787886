// PROPERTY no-data-race
// EXPECT violated
// NONDET 0..1
#include <pthread.h>
#include <stdio.h>
long number;
void *take(void *place) {
    scanf("%ld", place); // RACE
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, take, &number);
    number = 5; // RACE
    pthread_join(thread, 0);
    return 0;
}
