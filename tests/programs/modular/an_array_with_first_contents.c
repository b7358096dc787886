// Elements at an unknown index hold what the initialiser says.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int a[100] = { 1, 2, 3 };
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += a[i];
    assert(sum == 0); // VIOLATION
    return 0;
}
