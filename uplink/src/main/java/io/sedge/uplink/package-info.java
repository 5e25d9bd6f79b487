/**
 * What a site and a center say to each other: HTTP over TLS 1.3 with certificates on both sides.
 * Read {@link io.sedge.uplink.Uplink} for the requests, then {@link io.sedge.uplink.RowBlocks} for
 * what rows look like under way, and {@link io.sedge.uplink.UplinkClient}, which is the site's
 * side. {@link io.sedge.uplink.TopicRoute} is where rows go that do not go to a center. Nothing
 * here has a thread of its own.
 */
@NullMarked
package io.sedge.uplink;

import org.jspecify.annotations.NullMarked;
