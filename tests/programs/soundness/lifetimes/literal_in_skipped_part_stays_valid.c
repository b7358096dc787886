// PROPERTY valid-deref
// EXPECT proved
extern int nondet_int(void);

int main(void)
{
    int *p = 0, *q = 0, *r;
    nondet_int() && (p = &(int){1});
    nondet_int() || (q = (int[]){1, 2});
    nondet_int() ? (void)(r = &(int){3}) : (void)(r = &(int){4});
    return (p ? *p : 0) + (q ? q[1] : 0) + *r;
}
