// EXPECT holds
#include <assert.h>
#include <string.h>

int main(void) {
    assert(strcmp(strerror(36), "File name too long") == 0);
    assert(strcmp(strerror(-7), "Unknown error -7") == 0);
    return 0;
}
