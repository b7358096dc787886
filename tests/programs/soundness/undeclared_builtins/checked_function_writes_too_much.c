// PROPERTY valid-deref
// EXPECT violated
#include <string.h>
int main(void) {
    char text[3];
    char *place = text;
    __builtin___strcpy_chk(place, "abc", __builtin_object_size(place, 1)); // VIOLATION
    return 0;
}
