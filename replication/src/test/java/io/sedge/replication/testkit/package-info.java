/** Members for tests. */
@NullMarked
package io.sedge.replication.testkit;

import org.jspecify.annotations.NullMarked;
