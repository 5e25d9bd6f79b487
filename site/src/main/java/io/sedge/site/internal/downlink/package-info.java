/**
 * What a center asks of the site: read {@link io.sedge.site.internal.downlink.Downlink}, which asks
 * for orders while this device leads, then {@link io.sedge.site.internal.downlink.OrderTaker},
 * which decides what becomes of each.
 */
@NullMarked
package io.sedge.site.internal.downlink;

import org.jspecify.annotations.NullMarked;
