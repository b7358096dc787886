// The pointer is set anew in every round.
// PROPERTY valid-deref
// EXPECT proved
int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int round = i;
        p = &round;
        *p = i;
    }
    return 0;
}
