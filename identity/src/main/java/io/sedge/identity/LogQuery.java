package io.sedge.identity;

import static java.util.Objects.requireNonNull;

/**
 * What somebody wants to know of what a device has said.
 *
 * @param job see {@link io.sedge.site.api.SiteControl#logs}
 * @param mark of the page before ({@link io.sedge.site.api.LogPage#mark}); empty for the first one
 * @param characters how long the page may be; a device may give less
 * @param latest whether the latest lines are wanted, if not all fit; a version before gives the
 *     oldest
 */
public record LogQuery(String job, String mark, int characters, boolean latest) {
  /** The oldest lines after the mark. */
  public LogQuery(String job, String mark, int characters) {
    this(job, mark, characters, false);
  }

  public LogQuery {
    requireNonNull(job, "no job");
    requireNonNull(mark, "no mark");
  }
}
