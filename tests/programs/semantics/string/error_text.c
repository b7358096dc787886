// EXPECT holds
#include <string.h>
#include <errno.h>
#include <assert.h>

int main(void) {
    assert(strerror(EINVAL) != 0 && strlen(strerror(EINVAL)) > 0);
    return 0;
}
