/**
 * Functions that a user has written in Java, from jars. Read {@link
 * io.sedge.sql.internal.user.UserFunctions} first, then {@link
 * io.sedge.sql.internal.user.UserScalar} and {@link io.sedge.sql.internal.user.UserAggregate}. A
 * function's object belongs to the thread of the task that calls it.
 */
@NullMarked
package io.sedge.sql.internal.user;

import org.jspecify.annotations.NullMarked;
