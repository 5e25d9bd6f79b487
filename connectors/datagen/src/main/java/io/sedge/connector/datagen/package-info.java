/**
 * The connector {@code datagen}: a source that makes rows up. Read {@link
 * io.sedge.connector.datagen.DatagenConnector}, then {@code Generators} and {@code DatagenReader};
 * its readers run on their task's thread.
 */
@NullMarked
package io.sedge.connector.datagen;

import org.jspecify.annotations.NullMarked;
