// PROPERTY valid-deref
// EXPECT violated
#include <alloca.h>

char *make(void) {
    char *p = alloca(4);
    *p = 1;
    char *volatile result = p;
    return result;
}

int main(void) {
    return *make(); // VIOLATION
}
