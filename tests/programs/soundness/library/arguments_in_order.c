// A format that begins with a minus sign: arguments that are no options are returned in their order.
// EXPECT proved
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char *argv[] = {"p", "-a", "file", "-b", "v", 0};
    assert(getopt(5, argv, "-ab:") == 'a');
    assert(getopt(5, argv, "-ab:") == 1 && strcmp(optarg, "file") == 0);
    assert(getopt(5, argv, "-ab:") == 'b' && strcmp(optarg, "v") == 0);
    assert(getopt(5, argv, "-ab:") == -1 && optind == 5);
    return 0;
}
