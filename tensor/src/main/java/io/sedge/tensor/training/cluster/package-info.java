/**
 * Parameter-server training: variables on the tasks of job {@code ps}, steps on those of job {@code
 * worker}, one coordinator that hands the steps out.
 *
 * <p>Read first: {@link io.sedge.tensor.training.cluster.ParameterServerStrategy} (where variables
 * are), {@link io.sedge.tensor.training.cluster.ShardedVariable} (what a graph does with one),
 * {@code ClusterCoordinator} (who runs what, and what happens when a task dies).
 */
@NullMarked
package io.sedge.tensor.training.cluster;

import org.jspecify.annotations.NullMarked;
