//! The table of actions, checked action by action and in all interleavings of small programs.

mod behaviour;
mod classes;
mod exploration;
mod world;
