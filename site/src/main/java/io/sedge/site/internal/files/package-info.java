/**
 * Files that jobs name (jars of functions, models): each device keeps a copy of what they held when
 * their job was submitted, and gets what it lacks from the others. Read {@link
 * io.sedge.site.internal.files.FileStore} first, then {@link
 * io.sedge.site.internal.files.FileKeeper}, then {@link io.sedge.site.internal.files.NamedFiles}. A
 * keeper has a thread that fetches; the rest is called by any thread.
 */
@NullMarked
package io.sedge.site.internal.files;

import org.jspecify.annotations.NullMarked;
