/**
 * Gives a script to a cluster of Flink's. Read {@link io.sedge.flink.cluster.Translation} first,
 * then {@link io.sedge.flink.cluster.FlinkScript}, then {@link
 * io.sedge.flink.cluster.FlinkCluster}. All runs in the caller's thread.
 */
@NullMarked
package io.sedge.flink.cluster;

import org.jspecify.annotations.NullMarked;
