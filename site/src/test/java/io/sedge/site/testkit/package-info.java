/** Devices for tests. */
@NullMarked
package io.sedge.site.testkit;

import org.jspecify.annotations.NullMarked;
