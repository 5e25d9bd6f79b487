/**
 * A device of a site: what it is started with, and how programs on its machine reach it. Read
 * {@link io.sedge.site.Device} first, then {@link io.sedge.site.DeviceConnection}, then {@link
 * io.sedge.site.Bundle}. Any thread may call.
 */
@NullMarked
package io.sedge.site;

import org.jspecify.annotations.NullMarked;
