// PROPERTY valid-deref
// EXPECT violated
int *p;

void f(void) {
    int x = 1;
    p = &x;
}

int main(void) {
    f();
    return *p; // VIOLATION
}
