@NullMarked
package io.sedge.bench.connectors;

import org.jspecify.annotations.NullMarked;
