/**
 * What runs on TensorFlow's native library: sessions on a cluster, servers, processes of servers.
 * The library itself ({@code org.tensorflow:tensorflow-core-native} with the classifier of the
 * platform) is put on the class path by whoever uses this package.
 *
 * <p>Read first: {@link io.sedge.tensor.runtime.ServerProcess} (a task of a cluster as a process
 * that can be ended), {@link io.sedge.tensor.runtime.ClusterSession} (runs a graph there), {@link
 * io.sedge.tensor.runtime.TensorFlowStatusException} (how it failed).
 */
@NullMarked
package io.sedge.tensor.runtime;

import org.jspecify.annotations.NullMarked;
