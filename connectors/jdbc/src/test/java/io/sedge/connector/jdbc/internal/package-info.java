/** Tests of what the connector {@code jdbc} is made of. */
@NullMarked
package io.sedge.connector.jdbc.internal;

import org.jspecify.annotations.NullMarked;
