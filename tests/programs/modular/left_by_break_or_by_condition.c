// What the loop wrote is known on one way out only.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
struct pair { int a, b; };
int main(void) {
    struct pair pair;
    pair.a = 1;
    for (int i = 0; i < 3; i++) {
        struct pair *p = &pair;
        p->b = i;
        if (p->b == 5) break;
    }
    assert(pair.b == 5); // VIOLATION
    return 0;
}
