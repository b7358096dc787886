// The address of the callback is in a member of an object that the function is given.
// PROPERTY assert
// EXPECT never-proved
// ENGINES unknown the function has no body
#include <assert.h>
struct hooks {
    int count;
    void (*failed)(void);
};
extern void run(struct hooks *hooks);
static void failed(void) {
    assert(0);
}
int main(void) {
    struct hooks hooks = {1, failed};
    run(&hooks);
    return 0;
}
