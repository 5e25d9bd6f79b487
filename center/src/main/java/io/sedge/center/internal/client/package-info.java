/**
 * What {@link io.sedge.center.CenterClient} is made of: read {@link
 * io.sedge.center.internal.client.ResultReader}. Any thread.
 */
@NullMarked
package io.sedge.center.internal.client;

import org.jspecify.annotations.NullMarked;
