// EXPECT proved
#include <assert.h>
#include <string.h>
int main(void) {
    int (*compare)(const char *, const char *) = strcmp;
    assert(compare("b", "a") > 0);
    assert(compare("a", "a") == 0);
    assert(memcmp("ab", "ac", 2) < 0);
    int order = __builtin_strncmp("abc", "abd", 2);
    assert(order == 0);
    return 0;
}
