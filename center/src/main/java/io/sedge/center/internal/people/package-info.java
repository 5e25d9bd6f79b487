/**
 * People who log in: their passwords, their sessions, and what keeps others from guessing. Read
 * {@link io.sedge.center.internal.people.Sessions} first, then {@link
 * io.sedge.center.internal.people.Passwords} and {@link io.sedge.center.internal.people.Attempts}.
 * Any thread.
 */
@NullMarked
package io.sedge.center.internal.people;

import org.jspecify.annotations.NullMarked;
