//! Error codes as on Linux.

pub const EPERM: u64 = 1;
pub const EAGAIN: u64 = 11;
pub const EBUSY: u64 = 16;
pub const EINVAL: u64 = 22;
pub const EDEADLK: u64 = 35;
pub const EOVERFLOW: u64 = 75;
pub const ETIMEDOUT: u64 = 110;

/// `PTHREAD_BARRIER_SERIAL_THREAD`, -1 as an `int`.
pub const SERIAL_THREAD: u64 = 0xffff_ffff;
