/** Members of a site for tests. */
@NullMarked
package io.sedge.identity.testkit;

import org.jspecify.annotations.NullMarked;
