/**
 * What Flink lacks of a script, and how a JobManager is asked. Read {@link
 * io.sedge.flink.cluster.internal.OwnOptions} first, then {@link
 * io.sedge.flink.cluster.internal.Rest}.
 */
@NullMarked
package io.sedge.flink.cluster.internal;

import org.jspecify.annotations.NullMarked;
