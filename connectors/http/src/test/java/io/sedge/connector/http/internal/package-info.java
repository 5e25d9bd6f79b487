/** Tests of what the connectors are made of. */
@NullMarked
package io.sedge.connector.http.internal;

import org.jspecify.annotations.NullMarked;
