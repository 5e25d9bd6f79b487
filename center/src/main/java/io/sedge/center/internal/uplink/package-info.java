/**
 * What sites ask for: read {@link io.sedge.center.internal.uplink.UplinkService}, then {@link
 * io.sedge.center.internal.uplink.SiteRegistrar}. Each request has a virtual thread of its own.
 */
@NullMarked
package io.sedge.center.internal.uplink;

import org.jspecify.annotations.NullMarked;
