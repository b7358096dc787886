// A pointer read at an unknown index is one of those in the initialiser.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int x, y;
int *a[100] = { &x, &y };
int main(void) {
    y = 1;
    for (int i = 0; i < 2; i++) assert(*a[i] == 0); // VIOLATION
    return 0;
}
