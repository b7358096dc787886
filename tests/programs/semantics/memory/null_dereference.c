// PROPERTY valid-deref
// EXPECT violated
int *p;

int main(void) {
    return *p; // VIOLATION
}
