/**
 * Resolvers for the places where TensorFlow clusters run. Read first: {@link
 * io.sedge.tensor.resolver.TfConfigClusterResolver}, {@link
 * io.sedge.tensor.resolver.KubernetesClusterResolver}, {@link
 * io.sedge.tensor.resolver.ResolverSettings} (what may be set of all of them).
 *
 * <p>They are handed all that they look at: environment variables, HTTP, the Kubernetes client, the
 * list of devices. They are immutable, start no threads, and block in the caller's.
 */
@NullMarked
package io.sedge.tensor.resolver;

import org.jspecify.annotations.NullMarked;
