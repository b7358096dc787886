// PROPERTY valid-deref
// EXPECT violated
int main(void)
{
    int *p = (int *)(const int[]){ 1, 2 };
    p[0] = 3; // VIOLATION
    return 0;
}
