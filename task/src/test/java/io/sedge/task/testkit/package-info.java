/** Tables for tests of whatever runs tasks. */
@NullMarked
package io.sedge.task.testkit;

import org.jspecify.annotations.NullMarked;
