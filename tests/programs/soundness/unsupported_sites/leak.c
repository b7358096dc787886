// What the unknown function does with the memory that it is given is unknown, and what it allocates.
// PROPERTY valid-memtrack
// EXPECT never-proved
// ENGINES unknown the function has no body
extern char *make(void);
int main(void) {
    make();
    return 0;
}
