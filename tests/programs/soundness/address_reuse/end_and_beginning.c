// The end of an object is not known to be, nor not to be, the beginning of another; the beginnings differ.
// EXPECT proved
#include <assert.h>
int a[2], b[2];
int main(void) {
    assert(&a[0] != &b[0] && &a[2] == a + 2 && &a[1] != &b[0]);
    return 0;
}
