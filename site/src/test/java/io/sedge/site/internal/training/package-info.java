@NullMarked
package io.sedge.site.internal.training;

import org.jspecify.annotations.NullMarked;
