@NullMarked
package io.sedge.learning.training;

import org.jspecify.annotations.NullMarked;
