package io.sedge.center.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A version of a job that was given to sites.
 *
 * @param action {@code deploy}, {@code check} or {@code remove}
 * @param state {@code checking}, {@code rolling}, {@code rolling_back}, {@code removing}; at its
 *     end {@code checked}, {@code refused}, {@code done}, {@code rolled_back}, {@code removed}
 * @param ended whether it is at its end, but for sites that are away
 * @param detail why it is in its state; may be empty
 * @param merged whether the center merges the windows of the sites
 * @param selection how sites were chosen
 * @param wave that is under way
 * @param waves how many there are to be
 * @param counts how many sites are in each state
 * @param installed how many sites have each version of the job
 * @param script absent in a list
 * @param sites absent in a list
 */
public record JobVersion(
    String job,
    long version,
    String action,
    String state,
    boolean ended,
    String detail,
    boolean merged,
    String selection,
    int wave,
    List<String> waves,
    long gateSeconds,
    long maxLagSeconds,
    String givenBy,
    long givenAtMillis,
    long stateAtMillis,
    Map<String, Integer> counts,
    Map<Long, Integer> installed,
    @Nullable String script,
    @Nullable List<AtSite> sites) {

  /**
   * How far it is at a site.
   *
   * @param state {@code waiting}, {@code checking}, {@code checked}, {@code sent}, {@code gated},
   *     {@code away}, {@code rolling_back}, {@code removing}; at its end {@code healthy}, {@code
   *     refused}, {@code failed}, {@code rolled_back}, {@code removed}, {@code untouched}
   * @param wave 0 for a site that was away when the waves were made
   * @param before the version that it had; 0 for none
   * @param installed the version that it has; 0 for none
   */
  public record AtSite(
      String site,
      String state,
      String detail,
      int wave,
      long before,
      long installed,
      long stateAtMillis) {}
}
