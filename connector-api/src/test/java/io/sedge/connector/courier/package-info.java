@NullMarked
package io.sedge.connector.courier;

import org.jspecify.annotations.NullMarked;
