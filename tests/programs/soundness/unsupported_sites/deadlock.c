// The unknown function may lock, and never return.
// PROPERTY no-deadlock
// EXPECT never-proved
// ENGINES unknown the function has no body
extern int consume(void);
int main(void) {
    return consume();
}
