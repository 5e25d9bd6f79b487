/**
 * What people and programs ask: the REST API. Read {@link io.sedge.center.internal.api.Routes}
 * first, the one table of what there is and who may, then {@link
 * io.sedge.center.internal.api.ApiService} and {@link io.sedge.center.internal.api.Gate}. Each
 * request has a virtual thread of its own.
 */
@NullMarked
package io.sedge.center.internal.api;

import org.jspecify.annotations.NullMarked;
