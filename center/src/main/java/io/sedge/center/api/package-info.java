/**
 * What the center's REST API takes and gives, as records: their components are the fields of its
 * JSON. Read {@link io.sedge.center.api.CenterStatus} first, then {@link
 * io.sedge.center.api.SiteReport} and {@link io.sedge.center.api.TableReport}. Times are
 * milliseconds since 1970, durations whole seconds. Any thread.
 */
@NullMarked
package io.sedge.center.api;

import org.jspecify.annotations.NullMarked;
