/** Counterparts for tests. */
@NullMarked
package io.sedge.connector.http.testkit;

import org.jspecify.annotations.NullMarked;
