/**
 * Models that devices train from their own history. Read {@link
 * io.sedge.learning.training.Question} first, which is what leaves a device; then {@link
 * io.sedge.learning.training.Trainer}, which asks, and {@link
 * io.sedge.learning.training.DeviceRows}, which answers. Each is used by one thread at a time.
 */
@NullMarked
package io.sedge.learning.training;

import org.jspecify.annotations.NullMarked;
