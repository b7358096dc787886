// With unreach-call selected, a failing assertion only ends the process.
// PROPERTY unreach-call
// EXPECT proved
#include <assert.h>
extern void reach_error(void);

int main(void) {
    assert(0);
    reach_error();
    return 0;
}
