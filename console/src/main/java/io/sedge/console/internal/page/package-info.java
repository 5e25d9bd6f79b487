/**
 * The files of the page, from the class path. Read {@link io.sedge.console.internal.page.PageFiles}
 * first, then {@link io.sedge.console.internal.page.WebJars}. Any thread.
 */
@NullMarked
package io.sedge.console.internal.page;

import org.jspecify.annotations.NullMarked;
