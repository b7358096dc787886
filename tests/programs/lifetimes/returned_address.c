// The variable ends with its function.
// PROPERTY valid-deref
// EXPECT violated
int *place(void) {
    int local = 3;
    int *p = &local;
    return p;
}
int main(void) {
    int *p = place();
    return *p; // VIOLATION
}
