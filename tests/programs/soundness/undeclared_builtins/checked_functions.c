// What `_FORTIFY_SOURCE` makes of ordinary calls: arguments of their own, and the meaning of those calls.
// PROPERTY valid-deref
// EXPECT proved
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[8], copy[8];
    __builtin___snprintf_chk(text, sizeof text, 1, __builtin_object_size(text, 1), "%s-%d", "ab", 5);
    __builtin___memcpy_chk(copy, text, 5, __builtin_object_size(copy, 0));
    __builtin___strcpy_chk(copy, text, __builtin_object_size(copy, 1));
    __builtin___printf_chk(1, "%s\n", copy);
    __builtin___fprintf_chk(stderr, 1, "%s %d\n", copy, 3);
    return 0;
}
