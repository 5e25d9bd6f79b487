/**
 * Requests and answers between processes: JSON in frames of bounded length. Read {@link
 * io.sedge.identity.message.Frames} first. Any thread, one at a time for a stream.
 */
@NullMarked
package io.sedge.identity.message;

import org.jspecify.annotations.NullMarked;
