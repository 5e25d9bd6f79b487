/** A registry of schemas for tests. */
@NullMarked
package io.sedge.format.avro.testkit;

import org.jspecify.annotations.NullMarked;
