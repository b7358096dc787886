// EXPECT violated
extern void __VERIFIER_error(void);

int main(void) {
    __VERIFIER_error(); // VIOLATION
    return 0;
}
