// Each round has a variable of its own.
// PROPERTY valid-deref
// EXPECT violated
int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int round = i;
        if (p)
            *p = i; // VIOLATION
        p = &round;
    }
    return 0;
}
