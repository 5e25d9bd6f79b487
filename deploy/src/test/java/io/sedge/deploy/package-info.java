/** The manifests for Kubernetes beside it. */
@NullMarked
package io.sedge.deploy;

import org.jspecify.annotations.NullMarked;
