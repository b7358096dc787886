
/* Nothing outlives the host, which gives the terminal back. A process in the background must not read from it. */
static void gr_settle(void)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (isatty(0) && getpgrp() == getpid()) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGTTOU);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        tcsetpgrp(0, getpgrp());
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    }
}

int main(void)
{
    gr_settle();
    gr_thread[0].stack_top = (ptr)__builtin_frame_address(0);
    gr_init_policy();
    gr_init_globals();
    gr_init_locals();
    gr_entry();
    gr_end_thread(0);
    pthread_exit(NULL);
}
