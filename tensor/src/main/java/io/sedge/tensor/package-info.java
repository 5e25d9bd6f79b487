/**
 * TensorFlow clusters for the JVM: what TensorFlow gives Python for them and does not give Java.
 * Stands alone: it needs TensorFlow's Java classes and no other module of Sedge.
 *
 * <p>Read first: {@link io.sedge.tensor.ClusterSpec} (which tasks there are), {@link
 * io.sedge.tensor.ClusterResolver} (finding that out where the program runs), {@link
 * io.sedge.tensor.ClusterDeviceFilters} (which task sees which devices). Nothing here starts a
 * thread; values are immutable and may be shared. Nothing here loads TensorFlow's native library.
 */
@NullMarked
package io.sedge.tensor;

import org.jspecify.annotations.NullMarked;
