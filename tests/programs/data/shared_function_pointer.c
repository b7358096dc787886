// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x;
void up(void) { x = 1; }
void down(void) { x = -1; }
void (*action)(void) = up;

void *changer(void *arg) {
    action = down;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, changer, 0);
    action();
    assert(x == 1); // VIOLATION
    return 0;
}
