// Pointers that walk through a buffer and are compared by order.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct ringbuf_t { unsigned char *buf; unsigned char *head, *tail; size_t size; };
typedef struct ringbuf_t *ringbuf;
ringbuf ringbuf_new(size_t cap) {
  ringbuf rb = malloc(sizeof *rb);
  if (rb) {
    rb->size = cap + 1;
    rb->buf = malloc(rb->size);
    if (rb->buf) { rb->head = rb->tail = rb->buf; }
    else { free(rb); return 0; }
  }
  return rb;
}
size_t cap(ringbuf rb) { return rb->size - 1; }
unsigned char *end(ringbuf rb) { return rb->buf + rb->size; }
size_t bytes_free(ringbuf rb) {
  if (rb->head >= rb->tail) return cap(rb) - (rb->head - rb->tail);
  return rb->tail - rb->head - 1;
}
int put(ringbuf rb, unsigned char c) {
  if (!bytes_free(rb)) return 0;
  *rb->head++ = c;
  if (rb->head == end(rb)) rb->head = rb->buf;
  return 1;
}
int get(ringbuf rb) {
  if (bytes_free(rb) == cap(rb)) return -1;
  int c = *rb->tail++;
  if (rb->tail == end(rb)) rb->tail = rb->buf;
  return c;
}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *producer(void *a) { ringbuf rb = a; pthread_mutex_lock(&m); put(rb, 7); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  ringbuf rb = ringbuf_new(2);
  if (!rb) return 0;
  pthread_t t; pthread_create(&t, 0, producer, rb);
  pthread_mutex_lock(&m); int g = get(rb); pthread_mutex_unlock(&m);
  assert(g == -1 || g == 7);
  pthread_join(t, 0);
  free(rb->buf); free(rb);
  return 0;
}
