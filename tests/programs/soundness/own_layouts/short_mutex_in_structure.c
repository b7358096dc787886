// A mutex of four bytes beside the data that it protects, on the heap.
// PROPERTY valid-deref
// EXPECT proved
// NATIVE no its own declarations are not those of the system

typedef struct { int x; } pthread_mutex_t;
typedef int pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assert(int);

void *malloc(unsigned long);

struct counter {
	pthread_mutex_t m;
	int x;
};

void *worker(void *argument)
{
	struct counter *c = argument;
	pthread_mutex_lock(&c->m);
	c->x++;
	pthread_mutex_unlock(&c->m);
	return 0;
}

int main(void)
{
	pthread_t a;
	struct counter *c = malloc(sizeof *c);
	c->x = 0;
	pthread_mutex_init(&c->m, 0);
	pthread_create(&a, 0, worker, c);
	worker(c);
	pthread_join(a, 0);
	return 0;
}
