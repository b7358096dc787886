// A compound literal is one object for each entry into its block, too.
// PROPERTY valid-deref
// EXPECT proved
struct s { int a; };

int main(void)
{
    int n = 0;
    struct s *p = 0;
again:;
    struct s *q = &(struct s){n};
    if (n++ == 0) {
        p = q;
        goto again;
    }
    return p->a - 1;
}
