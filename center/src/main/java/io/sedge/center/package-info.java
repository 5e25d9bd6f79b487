/**
 * Where sites report to. Rows come by {@code uplink}, are applied once by {@code store}, and are
 * asked for by {@code api}.
 */
@NullMarked
package io.sedge.center;

import org.jspecify.annotations.NullMarked;
