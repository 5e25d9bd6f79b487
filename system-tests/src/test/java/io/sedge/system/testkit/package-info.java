/** Starts, watches and ends the processes of the tests. */
@NullMarked
package io.sedge.system.testkit;

import org.jspecify.annotations.NullMarked;
