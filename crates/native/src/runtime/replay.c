/* The policy of replay: each visible step waits for its turn in the schedule, and takes place while all others wait.
   Inputs and the contents of indeterminate memory come from the schedule, too. What is seen is written into a mapped
   file at once: the accesses, a violation, where the program departs from the schedule, and how the threads stand at its
   end. The numbers are known to replay_report.rs. */

enum gr_outcome {
    GR_SEEN_NOTHING = 0,
    GR_SEEN_END = 1,
    GR_SEEN_VIOLATION = 2,
    GR_SEEN_MISUSE = 3,
    GR_SEEN_DEPARTURE = 4,
    GR_SEEN_EXIT = 5,
    GR_SEEN_UNSUPPORTED = 6,
};

enum gr_departure { GR_ELSEWHERE = 1, GR_CANNOT = 2, GR_MISSING = 3 };

enum gr_standing { GR_RUNS = 0, GR_READY = 1, GR_WAITS = 2, GR_HAS_ENDED = 3, GR_STOPPED = 4 };

struct gr_access {
    u64 thread, site, address, size;
};

struct gr_report {
    u64 outcome, thread, site, position, detail, accesses, capacity, threads, heap_objects, left_threads;
    u64 standing[GR_MAX_THREADS];
    u64 standing_site[GR_MAX_THREADS];
    struct gr_access access[];
};

struct gr_scheduled {
    u64 thread, site;
};
struct gr_choice {
    u64 thread, value;
};
struct gr_contents {
    u64 kind, first, second, offset, byte;
};
enum { GR_OF_GLOBAL = 0, GR_OF_THREAD_LOCAL = 1, GR_OF_ALLOCATION = 2 };

struct gr_pending {
    int kind;
    u32 op;
    u64 operands[4];
};

static struct gr_report *gr_report;
static u64 gr_step_count, gr_choice_count, gr_contents_count, gr_property, gr_patience;
static const struct gr_scheduled *gr_schedule;
static const struct gr_choice *gr_choices;
static const struct gr_contents *gr_contents;
static u64 gr_next_choice[GR_MAX_THREADS];
static u64 gr_objects[GR_MAX_THREADS];
static struct gr_pending gr_pending[GR_MAX_THREADS];
static pthread_cond_t gr_turn[GR_MAX_THREADS];
static pthread_mutex_t gr_big = PTHREAD_MUTEX_INITIALIZER;
static u64 gr_position;
static u32 gr_started = 1;
static __thread u32 gr_id;
static __thread u32 gr_section;
static __thread u32 gr_site;
static __thread int gr_stepping;

static int gr_join_waits(u64 handle);
static int gr_guard(u32 op, u32 thread, const u64 *operands);

/* A waiter wakes up when the schedule says so, signalled or not. */
#define GR_WAKES_SPURIOUSLY 1

enum { GR_IS_REPLAY = 1 };
static void gr_flush_streams(void);

/* Heap objects that were not freed. */
static u64 gr_heap_objects;
static u64 gr_left_threads(void);

static GR_COLD void gr_see(enum gr_outcome outcome, u32 thread, u64 site, u64 detail)
{
    gr_report->thread = thread;
    gr_report->site = site;
    gr_report->position = gr_position;
    gr_report->detail = detail;
    gr_report->threads = gr_started;
    gr_report->heap_objects = __atomic_load_n(&gr_heap_objects, __ATOMIC_SEQ_CST);
    gr_report->left_threads = gr_left_threads();
    gr_report->outcome = outcome;
    gr_flush_streams();
    _exit(0);
}

static GR_COLD void gr_end_process(enum gr_end end, int status)
{
    enum gr_outcome outcome = end == GR_EXITED || end == GR_ABORTED ? GR_SEEN_EXIT : GR_SEEN_UNSUPPORTED;
    gr_see(outcome, gr_id, 0, (u64)status);
}

/* Everybody has got as far as the schedule goes. */
static GR_COLD void gr_see_end(void)
{
    for (u32 thread = 0; thread < gr_started; thread++) {
        struct gr_pending *next = &gr_pending[thread];
        if (gr_report->standing[thread] != GR_READY)
            continue;
        int waits = (next->kind == 1 && !gr_guard(next->op, thread, next->operands)) ||
                    (next->kind == 2 && gr_join_waits(next->operands[0]));
        if (waits)
            gr_report->standing[thread] = GR_WAITS;
    }
    gr_see(GR_SEEN_END, 0, 0, 0);
}

static void gr_look_for_end(void)
{
    if (gr_position < gr_step_count)
        return;
    for (u32 thread = 0; thread < gr_started; thread++)
        if (gr_report->standing[thread] == GR_RUNS)
            return;
    gr_see_end();
}

/* Nothing hangs: a step that nobody takes is a departure. */
static void *gr_watch(void *unused)
{
    u64 seen = gr_position, since = gr_nanoseconds();
    for (;;) {
        usleep(20000);
        pthread_mutex_lock(&gr_big);
        if (gr_position != seen) {
            seen = gr_position;
            since = gr_nanoseconds();
        } else if (gr_nanoseconds() - since > gr_patience * 1000000) {
            if (gr_position >= gr_step_count)
                gr_see_end();
            u32 thread = (u32)gr_schedule[gr_position].thread;
            gr_see(GR_SEEN_DEPARTURE, thread, gr_report->standing_site[thread % GR_MAX_THREADS], GR_MISSING);
        }
        pthread_mutex_unlock(&gr_big);
    }
    return unused;
}

static void gr_init_policy(void)
{
    size_t size;
    gr_report = gr_map("GORDIAN_REPORT", &size, 1);
    gr_report->capacity = (size - sizeof *gr_report) / sizeof(struct gr_access);
    const u64 *words = gr_map("GORDIAN_SCHEDULE", &size, 0);
    gr_step_count = words[0];
    gr_choice_count = words[1];
    gr_contents_count = words[2];
    gr_property = words[3];
    gr_patience = words[4];
    gr_schedule = (const void *)(words + 5);
    gr_choices = (const void *)(gr_schedule + gr_step_count);
    gr_contents = (const void *)(gr_choices + gr_choice_count);
    for (int thread = 0; thread < GR_MAX_THREADS; thread++)
        pthread_cond_init(&gr_turn[thread], NULL);
    pthread_t watcher;
    if (pthread_create(&watcher, NULL, gr_watch, NULL) != 0)
        gr_fail("a thread cannot be created");
}

static void gr_init_thread(u32 id) { gr_id = id; }

/* Around what is no step. */
static void gr_begin(void)
{
    if (!gr_stepping)
        pthread_mutex_lock(&gr_big);
}

static void gr_pause(void)
{
    if (!gr_stepping)
        pthread_mutex_unlock(&gr_big);
}

static int gr_in_step(void) { return gr_stepping; }

/* Output that is no step touches memory, too; nobody has judged that. */
static __thread int gr_telling;

/* An access of the step that is being taken. */
static GR_UNUSED void gr_note_access(ptr address, u64 size)
{
    if (size == 0 || gr_telling || gr_report->accesses == gr_report->capacity)
        return;
    gr_report->access[gr_report->accesses] = (struct gr_access){gr_id, gr_site, address, size};
    gr_report->accesses++;
}
#define GR_NOTE(address, size) gr_note_access(address, size)

static void gr_await_turn(u32 site)
{
    pthread_mutex_lock(&gr_big);
    gr_report->standing_site[gr_id] = site;
    while (gr_position >= gr_step_count || gr_schedule[gr_position].thread != gr_id) {
        gr_report->standing[gr_id] = GR_READY;
        gr_look_for_end();
        pthread_cond_wait(&gr_turn[gr_id], &gr_big);
    }
    gr_report->standing[gr_id] = GR_RUNS;
    if (gr_schedule[gr_position].site != UINT64_MAX && gr_schedule[gr_position].site != site)
        gr_see(GR_SEEN_DEPARTURE, gr_id, site, GR_ELSEWHERE);
    gr_stepping = 1;
}

static void gr_pass_on(void)
{
    gr_stepping = 0;
    gr_position++;
    if (gr_position < gr_step_count)
        pthread_cond_signal(&gr_turn[gr_schedule[gr_position].thread % GR_MAX_THREADS]);
    pthread_mutex_unlock(&gr_big);
}

static void gr_enter(u32 site, ptr address, u64 size)
{
    if (!gr_section && !gr_stepping)
        gr_await_turn(site);
    gr_site = site;
    gr_note_access(address, size);
}

static void gr_leave(void)
{
    if (!gr_section)
        gr_pass_on();
}

#define GR_ENTER(site, address, size) gr_enter(site, address, size)
#define GR_LEAVE(site) gr_leave()

static GR_UNUSED void gr_begin_section(u32 site)
{
    if (gr_section == 0)
        gr_await_turn(site);
    gr_section++;
}

static GR_UNUSED void gr_end_section(void)
{
    if (--gr_section == 0)
        gr_pass_on();
}

/* The next choice of the thread; those that are missing are zero. */
static u64 gr_scheduled_choice(void)
{
    u64 index = gr_next_choice[gr_id];
    while (index < gr_choice_count && gr_choices[index].thread != gr_id)
        index++;
    gr_next_choice[gr_id] = index + 1;
    return index < gr_choice_count ? gr_choices[index].value : 0;
}

static GR_UNUSED u64 gr_choose_value(u64 value)
{
    (void)value;
    return gr_scheduled_choice();
}

static GR_UNUSED u64 gr_choose_among(u64 count)
{
    (void)count;
    return 0;
}

static GR_UNUSED u64 gr_any_input(void) { return 0; }

/* The world is not asked again. */
#define GR_OUTSIDE(call) 0
#define GR_ASK(call) ((void)0)
#define GR_TELL(call) (gr_telling = 1, call, gr_telling = 0)

static void gr_fill(u64 kind, u64 first, u64 second, ptr address, u64 size)
{
    for (u64 i = 0; i < gr_contents_count; i++) {
        const struct gr_contents *known = &gr_contents[i];
        if (known->kind == kind && known->first == first && known->second == second && known->offset < size)
            gr_store_u8(address + known->offset, (u8)known->byte);
    }
}

static GR_UNUSED void gr_new_allocation(ptr address, u64 size)
{
    gr_fill(GR_OF_ALLOCATION, gr_id, gr_objects[gr_id]++, address, size);
}

static GR_UNUSED void gr_new_object(ptr address, u64 size)
{
    memset((void *)address, 0, size);
    gr_new_allocation(address, size);
}

static GR_UNUSED void gr_indeterminate_global(u32 global, int thread_local, ptr address, u64 size)
{
    gr_fill(thread_local ? GR_OF_THREAD_LOCAL : GR_OF_GLOBAL, global, thread_local ? gr_id : 0, address, size);
}

/* What stands behind the next step, should the schedule end before it. */
static void gr_next(int kind, u32 op, const u64 *operands, unsigned count)
{
    gr_pending[gr_id].kind = kind;
    gr_pending[gr_id].op = op;
    memcpy(gr_pending[gr_id].operands, operands, count * sizeof *operands);
}
#define GR_NEXT(kind, op, operands, count) gr_next(kind, op, operands, count)

static void gr_news(void) {}

/* Within a step that cannot be taken. The end of a thread is no step, and may still be on its way. */
static void gr_block(int pending, u32 op, const u64 *operands)
{
    (void)op;
    if (pending != 2)
        gr_see(GR_SEEN_DEPARTURE, gr_id, gr_report->standing_site[gr_id], GR_CANNOT);
    for (u64 waited = 0; gr_join_waits(operands[0]); waited++) {
        if (waited > gr_patience * 10)
            gr_see(GR_SEEN_DEPARTURE, gr_id, gr_report->standing_site[gr_id], GR_CANNOT);
        pthread_mutex_unlock(&gr_big);
        usleep(100);
        pthread_mutex_lock(&gr_big);
    }
}

/* The schedule says whether a timed operation has waited for too long. */
static GR_UNUSED int gr_has_time(unsigned naps)
{
    (void)naps;
    return 0;
}
static GR_UNUSED void gr_nap(unsigned naps) { (void)naps; }

static void gr_ended_thread(void)
{
    gr_report->standing[gr_id] = GR_HAS_ENDED;
    gr_look_for_end();
}

static GR_UNUSED GR_COLD void gr_stop(void)
{
    gr_begin();
    gr_report->standing[gr_id] = GR_STOPPED;
    gr_look_for_end();
    gr_stepping = 0;
    pthread_mutex_unlock(&gr_big);
    for (;;)
        pause();
}

static GR_UNUSED void gr_yield(void) {}

static void gr_spawned(u32 id) { gr_started = id + 1; }

static GR_UNUSED GR_COLD void gr_violated(u32 site, u32 property, const char *text)
{
    if (property != gr_property)
        return;
    fprintf(stderr, "%s\n", text);
    gr_begin();
    gr_see(GR_SEEN_VIOLATION, gr_id, site, 0);
}

static GR_UNUSED void gr_misused(u32 site, u32 misuse)
{
    if (gr_property == GR_LOCK_MISUSE)
        gr_see(GR_SEEN_MISUSE, gr_id, site, misuse);
}

/* An object outside of static memory is used that nobody has initialised. Its memory may be zero, which makes it usable:
   whether that is wrong is known where the schedule ends. */
static GR_UNUSED void gr_first_use(u32 thread)
{
    if (gr_property == GR_LOCK_MISUSE && gr_position + 1 >= gr_step_count)
        gr_see(GR_SEEN_MISUSE, thread, gr_site, 0);
}

static GR_UNUSED void gr_count_heap(int change)
{
    __atomic_add_fetch(&gr_heap_objects, (u64)(i64)change, __ATOMIC_SEQ_CST);
}

static GR_UNUSED GR_COLD void gr_unsupported(const char *what)
{
    fprintf(stderr, "gordian: unsupported: %s\n", what);
    gr_begin();
    gr_see(GR_SEEN_UNSUPPORTED, gr_id, 0, 0);
}

static GR_UNUSED GR_COLD void gr_exit(u32 site, int status, int abnormal)
{
    GR_ENTER(site, 0, 0);
    (void)abnormal;
    gr_position++;
    gr_see(GR_SEEN_EXIT, gr_id, site, (u64)status);
}
