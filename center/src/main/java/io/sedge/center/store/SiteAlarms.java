package io.sedge.center.store;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmState;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Database;
import io.sedge.uplink.SiteAlarmList;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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

  /** How many alarms of each site are shown among those of all. */
  public static final int OF_EACH = 100;

  /** What was told longer ago is no reason to refuse what seems to be older. */
  private static final Duration LATE = Duration.ofMinutes(2);

  /** What the counts of a flood are about. */
  private static final Duration FLOOD = Duration.ofMinutes(10);

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
   * Takes what a site tells, in place of what it told before; only what has changed is written.
   *
   * @throws StoreException BUSY if it is older than what was told a moment ago, by a leader that
   *     another one has followed: what comes later is taken, also of a site that was put back
   */
  public void tell(String site, SiteAlarmList told) throws StoreException {
    long now = clock.millis();
    database.change(
        handle -> {
          if (isLate(handle, site, told.index(), now)) {
            throw new StoreException(
                Reason.BUSY, "the site has told of later alarms a moment ago: tell again");
          }
          replace(handle, site, told.alarms().alarms());
          handle.execute("DELETE FROM sedge_alarm_site WHERE site = ?", site);
          AlarmCounts counts = told.alarms().counts();
          handle.execute(
              "INSERT INTO sedge_alarm_site (site, told_at, ledger_index, changes, attention,"
                  + " active, shelved, raised_in_ten_minutes, flood, floods, raised, refused)"
                  + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
              site,
              now,
              told.index(),
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

  private static boolean isLate(Handle handle, String site, long index, long now) {
    return handle
        .createQuery(
            "SELECT 1 FROM sedge_alarm_site WHERE site = :site AND ledger_index > :index"
                + " AND told_at > :since AND told_at <= :now")
        .bind("site", site)
        .bind("index", index)
        .bind("since", now - LATE.toMillis())
        .bind("now", now)
        .mapTo(Integer.class)
        .findFirst()
        .isPresent();
  }

  private static void replace(Handle handle, String site, List<Alarm> alarms) {
    Map<Long, Alarm> before = new HashMap<>();
    handle
        .createQuery("SELECT * FROM sedge_alarm WHERE site = :site")
        .bind("site", site)
        .map((row, _) -> alarm(row))
        .forEach(alarm -> before.put(alarm.id(), alarm));
    Map<Long, Alarm> after = new LinkedHashMap<>();
    alarms.forEach(alarm -> after.put(alarm.id(), shown(alarm)));
    PreparedBatch gone = handle.prepareBatch("DELETE FROM sedge_alarm WHERE site = ? AND id = ?");
    before.forEach(
        (id, alarm) -> {
          if (!alarm.equals(after.get(id))) {
            gone.add(site, id);
          }
        });
    if (gone.size() > 0) {
      gone.execute();
    }
    add(handle, site, after.values().stream().filter(one -> !one.equals(before.get(one.id()))));
  }

  /** What is kept of an alarm. PostgreSQL takes no NUL, and JSON no number that is not finite. */
  private static Alarm shown(Alarm alarm) {
    Double value = alarm.value();
    return new Alarm(
        alarm.id(),
        alarm.job(),
        alarm.table(),
        alarm.priority(),
        plain(alarm.key()),
        alarm.state(),
        alarm.raised(),
        alarm.raisedAtMillis(),
        alarm.changedAtMillis(),
        value != null && Double.isFinite(value) ? value : null,
        plain(alarm.message()),
        0,
        0,
        alarm.shelvedUntilMillis(),
        plain(alarm.by()),
        plain(alarm.note()));
  }

  private static String plain(String text) {
    return text.replace('\0', ' ');
  }

  private static void add(Handle handle, String site, Stream<Alarm> alarms) {
    PreparedBatch batch =
        handle.prepareBatch(
            "INSERT INTO sedge_alarm (site, id, job, sink, priority, row_key, state, attention,"
                + " shelved, raised, raised_at, changed_at, last_value, message, shelved_until,"
                + " acted_by, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    alarms.forEach(
        alarm ->
            batch.add(
                site,
                alarm.id(),
                alarm.job(),
                alarm.table(),
                alarm.priority().code(),
                alarm.key(),
                alarm.state().name(),
                alarm.state().asksForAttention() ? 1 : 0,
                alarm.state().isShelved() ? 1 : 0,
                alarm.raised(),
                alarm.raisedAtMillis(),
                alarm.changedAtMillis(),
                alarm.value(),
                alarm.message(),
                alarm.shelvedUntilMillis(),
                alarm.by(),
                alarm.note()));
    if (batch.size() > 0) {
      batch.execute();
    }
  }

  /**
   * The most urgent alarms; of all sites the first {@value #OF_EACH} of each, so that one that has
   * many does not hide those of others.
   *
   * @param site of which; empty for all sites that may report
   */
  public List<OfSite> list(Optional<String> site, int limit) throws StoreException {
    return database.read(
        handle ->
            asked(
                    handle,
                    "SELECT a.* FROM (SELECT a.*, row_number() OVER (PARTITION BY a.site"
                        + BY_URGENCY
                        + ") AS place FROM sedge_alarm a) a JOIN sedge_site s ON s.name = a.site",
                    site,
                    " AND a.place <= :most" + BY_URGENCY + " LIMIT :limit")
                .bind("most", site.isPresent() ? limit : OF_EACH)
                .bind("limit", limit)
                .map((row, _) -> new OfSite(row.getString("site"), alarm(row)))
                .list());
  }

  /** How many alarms are kept. */
  public int size(Optional<String> site) throws StoreException {
    return database.read(
        handle ->
            asked(
                    handle,
                    "SELECT count(*) FROM sedge_alarm a JOIN sedge_site s ON s.name = a.site",
                    site,
                    "")
                .mapTo(Integer.class)
                .one());
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

  /** A flood of which a site has said nothing for ten minutes is over. */
  private Told told(ResultSet row) throws SQLException {
    boolean recent = clock.millis() - row.getLong("told_at") < FLOOD.toMillis();
    return new Told(
        row.getString("site"),
        Instant.ofEpochMilli(row.getLong("told_at")),
        new AlarmCounts(
            row.getLong("changes"),
            row.getInt("attention"),
            row.getInt("active"),
            row.getInt("shelved"),
            recent ? row.getInt("raised_in_ten_minutes") : 0,
            recent && row.getInt("flood") != 0,
            row.getLong("floods"),
            row.getLong("raised"),
            row.getLong("refused")));
  }
}
