package io.sedge.center.api;

import io.sedge.alarm.AlarmCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The alarms of sites, as they have told of them last.
 *
 * @param atMillis by the center's clock
 * @param counts of all that were asked for, also of those that are not listed, added up
 * @param told how many sites have told of: some of them are not listed if they are more
 * @param alarms the most urgent ones, first those that ask for attention
 */
public record AlarmsReport(long atMillis, AlarmCounts counts, int told, List<OfSite> alarms) {

  /**
   * An alarm of a site.
   *
   * @param id its number at the site
   * @param raised how often it was raised in this life
   * @param state {@code unacknowledged}, {@code acknowledged}, {@code returned}, {@code shelved} or
   *     {@code shelved_normal}
   * @param by who acted on it last; absent for nobody
   */
  public record OfSite(
      String site,
      long id,
      String job,
      String table,
      String priority,
      String key,
      String state,
      long raised,
      long raisedAtMillis,
      long changedAtMillis,
      @Nullable Double value,
      @Nullable String message,
      @Nullable Long shelvedUntilMillis,
      @Nullable String by,
      @Nullable String note) {}

  /**
   * What a person has a site do to alarms, and what has become of that.
   *
   * @param action {@code acknowledge}, {@code shelve} or {@code unshelve}
   * @param alarms how many it names
   * @param state {@code queued}, {@code sent}, {@code done}, {@code refused}, {@code failed},
   *     {@code expired}, {@code cancelled} or {@code unknown}
   * @param detail how many it has changed, or why not; absent if there is nothing to say
   * @param ended whether nothing follows
   */
  public record Action(
      String id,
      String site,
      String action,
      int alarms,
      String givenBy,
      long givenAtMillis,
      String state,
      @Nullable String detail,
      boolean ended) {}
}
