package io.sedge.site.internal.membership;

import io.sedge.site.api.SiteException;

/** Jobs that the site's center gives. All of it may be repeated. Any thread. */
public interface GivenJobs {
  /**
   * Whether the site can run a script, in place of what it runs of that name.
   *
   * @throws SiteException if not; with the places in the script, if it is the script
   */
  void check(String name, String script) throws SiteException;

  /**
   * Runs a script.
   *
   * @param version the center's
   */
  void deploy(String name, long version, String script) throws SiteException;

  /**
   * Stops a job and removes it.
   *
   * @throws SiteException NOT_NOW while rows of it are not delivered
   */
  void remove(String name) throws SiteException;
}
