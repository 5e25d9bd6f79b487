/** What the connectors {@code http} and {@code webhook} are made of. */
@NullMarked
package io.sedge.connector.http.internal;

import org.jspecify.annotations.NullMarked;
