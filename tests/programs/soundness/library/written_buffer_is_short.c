// PROPERTY valid-deref
// EXPECT violated
#include <unistd.h>
struct { int before; char buffer[4]; } pair;
int main(void) {
    write(1, pair.buffer, 8); // VIOLATION
    return 0;
}
