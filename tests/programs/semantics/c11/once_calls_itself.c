// PROPERTY no-deadlock
// EXPECT violated
#include <threads.h>

once_flag flag = ONCE_FLAG_INIT;

void initialise(void) {
    call_once(&flag, initialise); // VIOLATION
}

int main(void) {
    call_once(&flag, initialise);
    return 0;
}
