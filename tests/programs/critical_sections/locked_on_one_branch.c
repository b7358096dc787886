// The lock is held on one path only where the paths meet.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level;
extern int __VERIFIER_nondet_int(void);

void *worker(void *arg) {
  int locked = __VERIFIER_nondet_int();
  if (locked)
    pthread_mutex_lock(&m);
  level = 1;
  level = 0;
  if (locked)
    pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  assert(level == 0); // VIOLATION
  pthread_mutex_unlock(&m);
  return 0;
}
