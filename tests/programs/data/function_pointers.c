// EXPECT proved
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int add(int a, int b) { return a + b; }
int subtract(int a, int b) { return a - b; }
int (*operations[2])(int, int) = {add, subtract};

int main(void) {
    int which = __VERIFIER_nondet_int() & 1;
    int result = operations[which](5, 3);
    assert(result == (which ? 2 : 8));
    return 0;
}
