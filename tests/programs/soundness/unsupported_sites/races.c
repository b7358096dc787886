// The unknown function may create threads, and give the callback to them.
// PROPERTY no-data-race
// EXPECT never-proved
// ENGINES unknown the function has no body
extern void parallel(void (*)(void));
int counter;
static void count(void) {
    counter++;
}
int main(void) {
    parallel(count);
    return 0;
}
