/** Edge nodes for tests. */
@NullMarked
package io.sedge.connector.sparkplug.testkit;

import org.jspecify.annotations.NullMarked;
