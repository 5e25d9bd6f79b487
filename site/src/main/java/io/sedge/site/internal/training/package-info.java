/**
 * Training over the devices of a site. {@link io.sedge.site.internal.training.DeviceTraining}
 * answers for a device, in a thread of its own; {@link
 * io.sedge.site.internal.training.SiteTraining} asks all of them, in the thread of who trains.
 */
@NullMarked
package io.sedge.site.internal.training;

import org.jspecify.annotations.NullMarked;
