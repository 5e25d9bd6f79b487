package io.sedge.center.store;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.AlarmList;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmState;
import io.sedge.center.store.internal.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * The alarms of sites, as each has told of them last. A site tells all that it has, so what is kept
 * is replaced as a whole. Those of a site that is shut out are not shown. Any thread.
 */
public final class SiteAlarms {
  /** As {@link Alarm#BY_URGENCY}, over all sites. */
  private static final String BY_URGENCY =
      " ORDER BY a.attention DESC, a.shelved, a.priority DESC, a.raised_at DESC, a.site, a.id DESC";

  private final Database database;
  private final InstantSource clock;

  SiteAlarms(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /** An alarm, and the site that has it. */
  public record OfSite(String site, Alarm alarm) {}

  /**
   * How many alarms a site has.
   *
   * @param at when it said so, by the center's clock
   */
  public record Told(String site, Instant at, AlarmCounts counts) {}

  /**
   * Takes what a site tells, in place of what it told before.
   *
   * @throws StoreException UNKNOWN_SITE, STORE_UNAVAILABLE
   */
  public void tell(String site, AlarmList list) throws StoreException {
    long now = clock.millis();
    database.change(
        handle -> {
          handle.execute("DELETE FROM sedge_alarm WHERE site = ?", site);
          add(handle, site, list.alarms());
          handle.execute("DELETE FROM sedge_alarm_site WHERE site = ?", site);
          AlarmCounts counts = list.counts();
          handle.execute(
              "INSERT INTO sedge_alarm_site (site, told_at, changes, attention, active, shelved,"
                  + " raised_in_ten_minutes, flood, floods, raised, refused)"
                  + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
              site,
              now,
              counts.changes(),
              counts.attention(),
              counts.active(),
              counts.shelved(),
              counts.raisedInTenMinutes(),
              counts.flood() ? 1 : 0,
              counts.floods(),
              counts.raised(),
              counts.refused());
        });
  }

  private static void add(Handle handle, String site, List<Alarm> alarms) {
    PreparedBatch batch =
        handle.prepareBatch(
            "INSERT INTO sedge_alarm (site, id, job, sink, priority, row_key, state, attention,"
                + " shelved, raised, raised_at, changed_at, last_value, message, shelved_until,"
                + " acted_by, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (Alarm alarm : alarms) {
      batch.add(
          site,
          alarm.id(),
          alarm.job(),
          alarm.table(),
          alarm.priority().code(),
          plain(alarm.key()),
          alarm.state().name(),
          alarm.state().asksForAttention() ? 1 : 0,
          alarm.state().isShelved() ? 1 : 0,
          alarm.raised(),
          alarm.raisedAtMillis(),
          alarm.changedAtMillis(),
          alarm.value(),
          plain(alarm.message()),
          alarm.shelvedUntilMillis(),
          plain(alarm.by()),
          plain(alarm.note()));
    }
    if (batch.size() > 0) {
      batch.execute();
    }
  }

  /** PostgreSQL takes no NUL. */
  private static String plain(String text) {
    return text.replace('\0', ' ');
  }

  /**
   * The most urgent alarms.
   *
   * @param site of which; empty for all sites that may report
   */
  public List<OfSite> list(Optional<String> site, int limit) throws StoreException {
    return database.read(
        handle ->
            asked(
                    handle,
                    "SELECT a.* FROM sedge_alarm a JOIN sedge_site s ON s.name = a.site",
                    site,
                    BY_URGENCY + " LIMIT :limit")
                .bind("limit", limit)
                .map((row, _) -> new OfSite(row.getString("site"), alarm(row)))
                .list());
  }

  /** How many alarms sites have, by site; of those that have told. */
  public List<Told> counts(Optional<String> site) throws StoreException {
    return database.read(
        handle ->
            asked(
                    handle,
                    "SELECT a.* FROM sedge_alarm_site a JOIN sedge_site s ON s.name = a.site",
                    site,
                    " ORDER BY a.site")
                .map((row, _) -> told(row))
                .list());
  }

  private static Query asked(Handle handle, String select, Optional<String> site, String order) {
    Query query =
        handle
            .createQuery(
                select
                    + " WHERE s.state = :active"
                    + (site.isPresent() ? " AND a.site = :site" : "")
                    + order)
            .bind("active", Site.State.ACTIVE.name());
    return site.isPresent() ? query.bind("site", site.get()) : query;
  }

  private static Alarm alarm(ResultSet row) throws SQLException {
    double value = row.getDouble("last_value");
    @Nullable Double known = row.wasNull() ? null : Double.valueOf(value);
    return new Alarm(
        row.getLong("id"),
        row.getString("job"),
        row.getString("sink"),
        AlarmPriority.ofCode(row.getInt("priority")),
        row.getString("row_key"),
        AlarmState.valueOf(row.getString("state")),
        row.getLong("raised"),
        row.getLong("raised_at"),
        row.getLong("changed_at"),
        known,
        row.getString("message"),
        0,
        0,
        row.getLong("shelved_until"),
        row.getString("acted_by"),
        row.getString("note"));
  }

  private static Told told(ResultSet row) throws SQLException {
    return new Told(
        row.getString("site"),
        Instant.ofEpochMilli(row.getLong("told_at")),
        new AlarmCounts(
            row.getLong("changes"),
            row.getInt("attention"),
            row.getInt("active"),
            row.getInt("shelved"),
            row.getInt("raised_in_ten_minutes"),
            row.getInt("flood") != 0,
            row.getLong("floods"),
            row.getLong("raised"),
            row.getLong("refused")));
  }
}
