/**
 * The connector {@code center}: a sink whose rows go to the center that the site reports to, or to
 * topics of Kafka in its place.
 */
@NullMarked
package io.sedge.connector.center;

import org.jspecify.annotations.NullMarked;
