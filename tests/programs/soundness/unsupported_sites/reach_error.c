// As an error function that an unknown function may call.
// PROPERTY unreach-call
// EXPECT never-proved
// ENGINES unknown the function has no body
extern void reach_error(void);
extern void visit(void (*)(void));
static void fail(void) {
    reach_error();
}
int main(void) {
    visit(fail);
    return 0;
}
