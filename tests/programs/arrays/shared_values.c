// What one thread writes another finds at the same index, and only there.
// EXPECT proved
// NONDET 7..8
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

int a[70], i;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *unused) {
  pthread_mutex_lock(&m);
  a[i] = 5;
  a[i] += 1;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  i = __VERIFIER_nondet_int();
  int j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 70 || j < 0 || j >= 70)
    return 0;
  pthread_create(&t, 0, thread, 0);
  pthread_mutex_lock(&m);
  int found = a[j];
  pthread_mutex_unlock(&m);
  assert(found == 0 || (i == j && found == 6));
  pthread_join(t, 0);
  assert(a[i] == 6);
  return 0;
}
