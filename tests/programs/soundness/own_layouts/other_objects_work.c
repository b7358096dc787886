// Condition variables, read-write locks and semaphores of eight bytes, in an array, on the stack and in a structure.
// EXPECT proved
// NATIVE no its own declarations are not those of the system

typedef struct { int a, b; } pthread_mutex_t, pthread_cond_t, pthread_rwlock_t, sem_t;
typedef struct thread *pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_post(sem_t *);
void __VERIFIER_assert(int);

pthread_mutex_t m[2];
pthread_cond_t c[2];
struct {
	int before;
	pthread_rwlock_t lock;
	int after;
} shared;
int ready;

void *worker(void *argument)
{
	pthread_mutex_lock(&m[1]);
	ready = 1;
	pthread_cond_signal(&c[1]);
	pthread_mutex_unlock(&m[1]);
	pthread_rwlock_wrlock(&shared.lock);
	shared.after++;
	pthread_rwlock_unlock(&shared.lock);
	sem_post(argument);
	return 0;
}

int main(void)
{
	pthread_t a;
	sem_t done;
	sem_init(&done, 0, 0);
	pthread_create(&a, 0, worker, &done);
	pthread_mutex_lock(&m[1]);
	while (!ready)
		pthread_cond_wait(&c[1], &m[1]);
	pthread_mutex_unlock(&m[1]);
	sem_wait(&done);
	pthread_join(a, 0);
	__VERIFIER_assert(shared.after == 1);
	return 0;
}
