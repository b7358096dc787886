// PROPERTY valid-deref
// EXPECT violated
int a[4];

int main(void) {
    int *volatile p = a;
    return p[-1]; // VIOLATION
}
