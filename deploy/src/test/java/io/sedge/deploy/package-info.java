/** The manifests for Kubernetes beside it, and the pages of the docs. */
@NullMarked
package io.sedge.deploy;

import org.jspecify.annotations.NullMarked;
