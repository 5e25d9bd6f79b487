/**
 * What people and programs ask: the REST API. Read {@link io.sedge.center.internal.api.Routes}
 * first, the one table of what there is and who may, then {@link
 * io.sedge.center.internal.api.ApiService} and {@link io.sedge.center.internal.api.Gate}. Each
 * request is done on a platform thread, which {@link io.sedge.center.internal.server.PlatformWork}
 * says why.
 */
@NullMarked
package io.sedge.center.internal.api;

import org.jspecify.annotations.NullMarked;
