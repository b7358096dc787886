// EXPECT proved
// UNWIND 5
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int squares[4];
    for (int i = 0; i < 4; i++) squares[i] = i * i;
    int which = __VERIFIER_nondet_int() & 3;
    assert(squares[which] == which * which);
    return 0;
}
