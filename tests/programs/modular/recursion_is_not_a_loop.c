// A function that calls itself has locals in every activation.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int depth(int n) {
    int own = n;
    int *p = &own;
    if (n > 0) depth(n - 1);
    return *p;
}
int main(void) {
    for (int i = 0; i < 3; i++) assert(depth(i) < 2); // VIOLATION
    return 0;
}
