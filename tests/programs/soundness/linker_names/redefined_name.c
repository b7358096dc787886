// `#pragma redefine_extname` gives the linker another name.
// EXPECT violated
#include <assert.h>

#pragma redefine_extname number counter
int counter = 5;
extern int number;

int main(void)
{
    number = 6;
    assert(counter == 5); // VIOLATION
    return 0;
}
