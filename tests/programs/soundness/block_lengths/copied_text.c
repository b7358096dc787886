// The copy of one of two texts, as long as the text is.
// EXPECT proved
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    const char *text = __VERIFIER_nondet_int() ? "one" : "three";
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);
    memcpy(copy, text, length);
    assert(strcmp(copy, text) == 0);
    assert(strlen(copy) == 3 || strlen(copy) == 5);
    free(copy);
    return 0;
}
