// Only a computed goto reaches the label.
// PROPERTY assert
// EXPECT never-proved
// ENGINES unknown addresses of labels
#include <assert.h>
extern int nondet_int(void);
int main(void) {
    void *labels[] = {&&out, &&bad};
    if (nondet_int() != 123456)
        return 0;
    goto *labels[1];
bad:
    assert(0);
out:
    return 0;
}
