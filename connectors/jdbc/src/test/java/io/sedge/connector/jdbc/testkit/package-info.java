/** Databases for the tests of the connector, and a link to them that breaks. */
@NullMarked
package io.sedge.connector.jdbc.testkit;

import org.jspecify.annotations.NullMarked;
