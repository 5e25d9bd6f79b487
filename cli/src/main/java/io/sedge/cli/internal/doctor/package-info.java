/** What a machine lacks to be a device. */
@NullMarked
package io.sedge.cli.internal.doctor;

import org.jspecify.annotations.NullMarked;
