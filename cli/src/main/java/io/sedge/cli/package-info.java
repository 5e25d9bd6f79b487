/**
 * The {@code sedge} command. Read {@link io.sedge.cli.Main} first: it is where everything is wired.
 */
@NullMarked
package io.sedge.cli;

import org.jspecify.annotations.NullMarked;
