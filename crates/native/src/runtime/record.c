/* The policy of recording: one thread at a time owns the right to take visible steps, and keeps it until another thread
   wants it. So a step of the owner costs a few plain instructions, the order of steps is a list of slices, and everything
   that a step touches is ordered by the changes of ownership. Between its visible steps a thread runs freely.

   Ownership is stolen: the thief takes it away, makes sure by a barrier in all threads (membarrier) that the owner sees
   that before its next step, and waits for the end of the step that the owner is in. Without membarrier every step pays
   for a fence.

   Everything is written into a mapped file at once, so that whatever ends the process, its prefix is there. */

/* Nothing in a run that is recorded wakes a waiter up but a signal. */
#define GR_WAKES_SPURIOUSLY 0

struct gr_cell {
    /* Counted up at the end of a step. */
    u64 steps;
    /* Of the sites of all steps. */
    u64 hash;
    /* Whether the thread is in a step. */
    u32 busy;
    u32 padding[11];
};

struct gr_entry {
    /* 0: thread was owner until it had taken `steps` steps, with this hash. 1: it was given the choice `value`. */
    u32 kind;
    u32 thread;
    u64 steps;
    u64 value;
};

struct gr_log {
    u64 magic;
    u64 entries;
    u64 owner; /* its number plus one */
    u64 threads;
    u64 end;
    u64 status;
    u64 capacity;
    u64 seed;
    u8 padding[4096 - 64];
    struct gr_cell cells[GR_MAX_THREADS];
    struct gr_entry entry[];
};

static struct gr_log *gr_log;
static __thread struct gr_cell *gr_self;
static __thread u32 gr_id;
static __thread u32 gr_section;
static struct gr_cell *gr_owner;
static int gr_fence;
/* How many steps the owner had taken when it became owner, and how many it may take before it has to hand over. */
static u64 gr_slice_start, gr_quantum = 1000;
static u64 gr_random_state;
static pthread_mutex_t gr_queue = PTHREAD_MUTEX_INITIALIZER;

enum { GR_IS_REPLAY = 0 };
static void gr_flush_streams(void);

static GR_COLD void gr_end_process(enum gr_end end, int status)
{
    gr_log->status = (u64)status;
    gr_log->end = end;
    gr_flush_streams();
    if (end == GR_ABORTED)
        abort();
    _exit(end == GR_EXITED ? status & 0xff : 125);
}

static void gr_append(u32 kind, u32 thread, u64 steps, u64 value)
{
    if (gr_log->entries == gr_log->capacity)
        gr_end_process(GR_FULL, 0);
    gr_log->entry[gr_log->entries] = (struct gr_entry){kind, thread, steps, value};
    gr_compiler_barrier();
    gr_log->entries++;
}

static u64 gr_random(void)
{
    gr_random_state ^= gr_random_state << 13;
    gr_random_state ^= gr_random_state >> 7;
    gr_random_state ^= gr_random_state << 17;
    return gr_random_state;
}

static void gr_init_policy(void)
{
    size_t size;
    gr_log = gr_map("GORDIAN_LOG", &size, 1);
    gr_log->capacity = (size - sizeof *gr_log) / sizeof(struct gr_entry);
    gr_random_state = gr_log->seed * 0x9e3779b97f4a7c15u | 1;
    gr_fence = 1;
#if defined(__linux__) && defined(SYS_membarrier)
    gr_fence = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
#endif
    gr_self = gr_log->cells;
    gr_log->threads = 1;
}

static void gr_init_thread(u32 id)
{
    gr_id = id;
    gr_self = &gr_log->cells[id];
}

/* Whether the thief should take over now: the owner does nothing that needs ownership, or has had its share. */
static void gr_wait_for_turn(struct gr_cell *owner)
{
    for (unsigned round = 0;; round++) {
        u64 before = __atomic_load_n(&owner->steps, __ATOMIC_RELAXED);
        if (before - gr_slice_start >= gr_quantum)
            return;
        if (round < 20)
            for (int i = 0; i < 40; i++)
                gr_relax();
        else
            usleep(20);
        int busy = __atomic_load_n(&owner->busy, __ATOMIC_RELAXED);
        if (!busy && __atomic_load_n(&owner->steps, __ATOMIC_RELAXED) == before)
            return;
    }
}

static GR_COLD void gr_take(struct gr_cell *self)
{
    __atomic_store_n(&self->busy, 0, __ATOMIC_RELEASE);
    pthread_mutex_lock(&gr_queue);
    struct gr_cell *owner = gr_owner;
    if (owner) {
        gr_wait_for_turn(owner);
        __atomic_store_n(&gr_owner, NULL, __ATOMIC_SEQ_CST);
#if defined(__linux__) && defined(SYS_membarrier)
        if (!gr_fence)
            syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
#endif
        for (unsigned round = 0; __atomic_load_n(&owner->busy, __ATOMIC_ACQUIRE); round++)
            if (round < 100)
                gr_relax();
            else
                sched_yield();
        if (owner->steps != gr_slice_start)
            gr_append(0, (u32)(owner - gr_log->cells), owner->steps, owner->hash);
    }
    gr_slice_start = self->steps;
    gr_quantum = 200 + gr_random() % 1800;
    gr_log->owner = (u64)(self - gr_log->cells) + 1;
    __atomic_store_n(&self->busy, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&gr_owner, self, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&gr_queue);
}

/* Before a visible step; also around what is no step but has to be ordered. */
static inline void gr_begin(void)
{
    if (GR_HAS_SECTIONS && gr_section)
        return;
    struct gr_cell *self = gr_self;
    __atomic_store_n(&self->busy, 1, __ATOMIC_RELAXED);
    gr_compiler_barrier();
    if (gr_unlikely(gr_fence))
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (gr_unlikely(__atomic_load_n(&gr_owner, __ATOMIC_RELAXED) != self))
        gr_take(self);
    gr_compiler_barrier();
}

static inline void gr_count_step(u32 site)
{
    struct gr_cell *self = gr_self;
    self->hash = (self->hash ^ site) * 0x100000001b3u;
    self->steps++;
}

static inline GR_UNUSED int gr_in_step(void) { return gr_self->busy != 0; }

/* After what is no step. */
static inline void gr_pause(void)
{
    if (GR_HAS_SECTIONS && gr_section)
        return;
    __atomic_store_n(&gr_self->busy, 0, __ATOMIC_RELEASE);
}

static inline void gr_finish(u32 site)
{
    if (GR_HAS_SECTIONS && gr_section)
        return;
    gr_compiler_barrier();
    gr_count_step(site);
    gr_pause();
}

#define GR_ENTER(site, address, size) gr_begin()
#define GR_LEAVE(site) gr_finish(site)
#define GR_NOTE(address, size) ((void)0)

/* An atomic section is one step, with the site of its beginning. */
static GR_UNUSED void gr_begin_section(u32 site)
{
    gr_begin();
    if (gr_section++ == 0)
        gr_count_step(site);
}

static GR_UNUSED void gr_end_section(void)
{
    gr_section--;
    gr_pause();
}

/* One of the choices that the environment makes: of `alternatives` threads, or any number. */
static GR_UNUSED u64 gr_choose_value(u64 value)
{
    gr_append(1, gr_id, 0, value);
    return value;
}

static u64 gr_choose_among(u64 count) { return gr_random() % count; }

/* Small numbers mostly, like the interpreter's. */
static GR_UNUSED u64 gr_any_input(void)
{
    u64 value = gr_random();
    return value % 8 < 6 ? (value >> 8) % 4 : value % 8 == 6 ? (value >> 8) % 256 : (u64)0 - (value >> 8) % 4;
}

#define GR_OUTSIDE(call) (call)
#define GR_ASK(call) (gr_begin_answers(), call)
#define GR_TELL(call) call

/* Nothing of it is indeterminate: a run can be repeated by the interpreter. */
static GR_UNUSED void gr_new_object(ptr address, u64 size) { memset((void *)address, 0, size); }
static GR_UNUSED void gr_new_allocation(ptr address, u64 size)
{
    (void)address;
    (void)size;
}
static GR_UNUSED void gr_indeterminate_global(u32 global, int thread_local, ptr address, u64 size)
{
    (void)global;
    (void)thread_local;
    (void)address;
    (void)size;
}

/* What a thread is about to do only matters to replay. */
#define GR_NEXT(kind, op, operands, count) ((void)0)

/* Waiting. `gr_epoch` changes whenever something may have become possible. */
static u32 gr_epoch, gr_blocked, gr_live = 1;

static void gr_futex_wait(u32 *word, u32 value, long nanoseconds)
{
    struct timespec limit = {0, nanoseconds};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, nanoseconds ? &limit : NULL, NULL, 0);
}

static void gr_news(void)
{
    if (gr_blocked == 0)
        return;
    gr_blocked = 0;
    __atomic_add_fetch(&gr_epoch, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &gr_epoch, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void gr_check_stuck(void)
{
    if (gr_live > 0 && gr_blocked == gr_live)
        gr_end_process(GR_STUCK, 0);
}

/* Within a step whose guard does not hold: waits until it may. */
static void gr_block(int pending, u32 op, const u64 *operands)
{
    (void)pending;
    (void)op;
    (void)operands;
    if (gr_section)
        gr_end_process(GR_SECTION_BLOCKED, 0);
    u32 epoch = gr_epoch;
    gr_blocked++;
    gr_check_stuck();
    gr_pause();
    while (__atomic_load_n(&gr_epoch, __ATOMIC_ACQUIRE) == epoch)
        gr_futex_wait(&gr_epoch, epoch, 0);
}

/* Whether a timed operation may still wait. A deadline of long ago is one of the clock that starts with the machine. */
static GR_UNUSED int gr_has_time(unsigned naps)
{
    struct timespec now;
    if (!gr_has_deadline)
        return naps < 50;
    clock_gettime(CLOCK_REALTIME, &now);
    if (gr_deadline.tv_sec < now.tv_sec / 2)
        clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec < gr_deadline.tv_sec ||
           (now.tv_sec == gr_deadline.tv_sec && now.tv_nsec < gr_deadline.tv_nsec);
}

/* Before a timed operation that would time out: waits for a moment. */
static GR_UNUSED void gr_nap(unsigned naps)
{
    gr_pause();
    usleep(naps < 50 ? 200 : 2000);
}

static void gr_ended_thread(void)
{
    gr_live--;
    if (gr_live == 0)
        gr_end_process(GR_EXITED, 0);
    gr_news();
    gr_check_stuck();
}

/* A failed assume stops the thread for ever. */
static GR_UNUSED GR_COLD void gr_stop(void)
{
    if (gr_section)
        gr_end_process(GR_SECTION_BLOCKED, 0);
    gr_begin();
    gr_live--;
    if (gr_live == 0)
        gr_end_process(GR_STUCK, 0);
    gr_check_stuck();
    gr_pause();
    for (;;)
        pause();
}

static GR_UNUSED void gr_yield(void)
{
    if (!gr_section)
        usleep(20);
}

static void gr_spawned(u32 id)
{
    gr_log->threads = id + 1;
    gr_live++;
}

static GR_UNUSED GR_COLD void gr_violated(u32 site, u32 property, const char *text)
{
    (void)site;
    (void)property;
    fprintf(stderr, "%s\n", text);
}

static GR_UNUSED void gr_misused(u32 site, u32 misuse)
{
    (void)site;
    (void)misuse;
}

/* An object outside of static memory is used that nobody has initialised. */
static GR_UNUSED void gr_first_use(u32 thread) { (void)thread; }
static GR_UNUSED void gr_count_heap(int change) { (void)change; }

static GR_UNUSED GR_COLD void gr_unsupported(const char *what)
{
    fprintf(stderr, "gordian: unsupported: %s\n", what);
    gr_begin();
    gr_end_process(GR_UNSUPPORTED, 0);
}

static GR_UNUSED GR_COLD void gr_exit(u32 site, int status, int abnormal)
{
    gr_begin();
    gr_count_step(site);
    gr_end_process(abnormal ? GR_ABORTED : GR_EXITED, status);
}
