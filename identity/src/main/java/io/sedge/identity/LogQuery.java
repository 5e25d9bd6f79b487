package io.sedge.identity;

import static java.util.Objects.requireNonNull;

/**
 * What somebody wants to know of what a device has said.
 *
 * @param job see {@link io.sedge.site.api.SiteControl#logs}
 * @param mark of the page before ({@link io.sedge.site.api.LogPage#mark}); empty for the first one
 * @param characters how long the page may be; a device may give less
 */
public record LogQuery(String job, String mark, int characters) {
  public LogQuery {
    requireNonNull(job, "no job");
    requireNonNull(mark, "no mark");
  }
}
