/**
 * A site as people and programs see it: what may be asked of one, and the records that answer. Read
 * {@link io.sedge.site.api.SiteControl} first, then {@link io.sedge.site.api.SiteStatus}, then
 * {@link io.sedge.site.api.SiteException}. Immutable values and one interface; any thread.
 */
@NullMarked
package io.sedge.site.api;

import org.jspecify.annotations.NullMarked;
