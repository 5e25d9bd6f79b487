package io.sedge.center.store;

import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.PartRows;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Jobs over many sites whose windows the center merges, and how far that is. Parts of windows are
 * rows of ordinary tables, stored once as all rows are; what is kept here says which of them the
 * center's own rows have, so that it goes on from there whenever it is killed. Any thread; one at a
 * time for each job.
 */
public final class Merges {
  /** The site that the center's own rows are from. */
  public static final String CENTER = "*";

  private static final int OPEN_AT_A_TIME = 100;

  private final Database database;
  private final InstantSource clock;
  private final PartRows parts;

  Merges(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.parts = new PartRows(database);
  }

  /** A job that is merged. */
  public record MergedJob(String name, String script) {}

  /**
   * A table that the center makes of parts.
   *
   * @param sink the name of the table in the script
   * @param partsTable the center's table with the parts
   */
  public record Target(String job, String sink, String partsTable) {}

  /** A window, in microseconds of its zone's clock; {@code end} is exclusive. */
  public record WindowKey(long start, long end) {}

  /**
   * Parts of a stream that have not been looked at.
   *
   * @param site whose they are
   * @param seen up to where they were
   * @param last the sequence of the last of {@code times}
   * @param times when they are, in microseconds: in their slices
   */
  public record NewParts(long stream, String site, long seen, long last, List<Long> times) {
    public NewParts {
      times = List.copyOf(times);
    }
  }

  /**
   * How far a site's parts come.
   *
   * @param doneUntil the end of the last slice that it has given, in microseconds of the zone's
   *     clock
   */
  public record SiteProgress(String site, long doneUntil) {}

  /**
   * A window with parts that its rows do not have.
   *
   * @param sinceMillis when the first of these parts came
   * @param changedMillis when the last of them came
   * @param givenRows how many rows it has; -1 if it has not been given yet
   * @param given these, as {@link io.sedge.engine.codec.RowsCodec} writes them
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  public record OpenWindow(
      WindowKey window, long sinceMillis, long changedMillis, int givenRows, byte[] given) {
    public boolean isGiven() {
      return givenRows >= 0;
    }
  }

  /** The jobs by name. */
  public List<MergedJob> jobs() throws StoreException {
    return database.read(
        handle ->
            handle
                .createQuery("SELECT job, script FROM sedge_merge ORDER BY job")
                .map((row, _) -> new MergedJob(row.getString(1), row.getString(2)))
                .list());
  }

  /** Makes a job one that is merged, or gives it another script. */
  public void put(MergedJob job) throws StoreException {
    database.change(
        handle -> {
          // Rows of the center are of a site as all rows are. It has no key, so nobody is it.
          handle.execute(
              "INSERT INTO sedge_site (name, ledger, fingerprint, state, labels, enrolled_at,"
                  + " generation) VALUES (?, ?, ?, ?, '{}', ?, 0) ON CONFLICT (name) DO NOTHING",
              CENTER,
              CENTER,
              CENTER,
              Site.State.ACTIVE.name(),
              clock.millis());
          handle.execute(
              "INSERT INTO sedge_merge (job, script, merged_at) VALUES (?, ?, ?) ON CONFLICT (job)"
                  + " DO UPDATE SET script = excluded.script, merged_at = excluded.merged_at",
              job.name(),
              job.script(),
              clock.millis());
        });
  }

  /** Merges a job no more; its rows stay, what is known of its windows is forgotten. */
  public void remove(String job) throws StoreException {
    database.change(
        handle -> {
          handle.execute("DELETE FROM sedge_merge WHERE job = ?", job);
          handle.execute("DELETE FROM sedge_merge_stream WHERE job = ?", job);
          handle.execute("DELETE FROM sedge_merge_window WHERE job = ?", job);
        });
  }

  /**
   * Parts that have come since {@link #mark}, some thousands for each stream.
   *
   * @param timeColumn which column of the parts says when they are
   */
  public List<NewParts> newParts(Target target, String timeColumn) throws StoreException {
    return parts.unseen(target, timeColumn);
  }

  /**
   * Says that parts were looked at, and which windows they are of: these are open from now on.
   *
   * @param doneUntil the end of the last slice that the stream has given
   */
  public void mark(Target target, NewParts seen, long doneUntil, List<WindowKey> windows)
      throws StoreException {
    long now = clock.millis();
    database.change(
        handle -> {
          handle.execute(
              "INSERT INTO sedge_merge_stream (job, sink, stream, seen, done_until) VALUES (?, ?,"
                  + " ?, ?, ?) ON CONFLICT (job, sink, stream) DO UPDATE SET seen = excluded.seen,"
                  + " done_until = CASE WHEN excluded.done_until > sedge_merge_stream.done_until"
                  + " THEN excluded.done_until ELSE sedge_merge_stream.done_until END",
              target.job(),
              target.sink(),
              seen.stream(),
              seen.last(),
              doneUntil);
          for (WindowKey window : windows) {
            open(handle, target, window, now);
          }
        });
  }

  private static void open(Handle handle, Target target, WindowKey window, long now) {
    handle.execute(
        "INSERT INTO sedge_merge_window (job, sink, window_start, window_end, open, since, changed,"
            + " given_rows) VALUES (?, ?, ?, ?, 1, ?, ?, -1) ON CONFLICT (job, sink, window_end,"
            + " window_start) DO UPDATE SET changed = excluded.changed, since = CASE WHEN"
            + " sedge_merge_window.open = 1 THEN sedge_merge_window.since ELSE excluded.since END,"
            + " open = 1",
        target.job(),
        target.sink(),
        window.start(),
        window.end(),
        now,
        now);
  }

  /**
   * How far each site that may report, and has given parts, has come; of a job that was given to
   * sites, only those that have it.
   */
  public List<SiteProgress> sites(Target target) throws StoreException {
    return database.read(
        handle ->
            handle
                .createQuery(
                    "SELECT s.site, max(coalesce(m.done_until, :never)) FROM sedge_stream s"
                        + " JOIN sedge_site t ON t.name = s.site"
                        + " LEFT JOIN sedge_merge_stream m ON m.stream = s.id AND m.job = :job"
                        + " AND m.sink = :sink"
                        + " WHERE s.result_table = :table AND t.state = :active"
                        + " AND (NOT EXISTS (SELECT 1 FROM sedge_fleet_version v WHERE v.job ="
                        + " :job) OR EXISTS (SELECT 1 FROM sedge_fleet_site f WHERE f.job = :job"
                        + " AND f.site = s.site))"
                        + " GROUP BY s.site")
                .bind("never", Long.MIN_VALUE)
                .bind("job", target.job())
                .bind("sink", target.sink())
                .bind("table", target.partsTable())
                .bind("active", Site.State.ACTIVE.name())
                .map((row, _) -> new SiteProgress(row.getString(1), row.getLong(2)))
                .list());
  }

  /** Some windows that are open, the earliest first. */
  public List<OpenWindow> open(Target target) throws StoreException {
    return database.read(
        handle ->
            handle
                .createQuery(
                    "SELECT window_start, window_end, since, changed, given_rows, given FROM"
                        + " sedge_merge_window WHERE job = :job AND sink = :sink AND open = 1"
                        + " ORDER BY window_end LIMIT :most")
                .bind("job", target.job())
                .bind("sink", target.sink())
                .bind("most", OPEN_AT_A_TIME)
                .map((row, _) -> window(row))
                .list());
  }

  private static OpenWindow window(ResultSet row) throws SQLException {
    byte @Nullable [] given = row.getBytes("given");
    return new OpenWindow(
        new WindowKey(row.getLong("window_start"), row.getLong("window_end")),
        row.getLong("since"),
        row.getLong("changed"),
        row.getInt("given_rows"),
        given == null ? new byte[0] : given);
  }

  /**
   * The parts between two times, as they were sent.
   *
   * @param timeColumn the position in {@code schema} of the column that says when they are
   * @param from in microseconds
   * @param to exclusive
   * @throws StoreException QUERY_ENDED if they are too many
   */
  public List<Batch> parts(String partsTable, Schema schema, int timeColumn, long from, long to)
      throws StoreException {
    return parts.between(partsTable, schema, timeColumn, from, to);
  }

  /** A window has these rows, of all of its parts that have been looked at. */
  public void given(Target target, WindowKey window, int rows, byte[] bytes) throws StoreException {
    database.change(
        handle ->
            handle.execute(
                "UPDATE sedge_merge_window SET open = 0, given_rows = ?, given = ? WHERE job = ?"
                    + " AND sink = ? AND window_start = ? AND window_end = ?",
                rows,
                bytes,
                target.job(),
                target.sink(),
                window.start(),
                window.end()));
  }

  /** Forgets windows that end before a time: a part of one is too late from then on. */
  public void forgetBefore(Target target, long end) throws StoreException {
    database.change(
        handle ->
            handle.execute(
                "DELETE FROM sedge_merge_window WHERE job = ? AND sink = ? AND window_end < ?",
                target.job(),
                target.sink(),
                end));
  }

  /**
   * The end of the last window that was given, in microseconds of the zone's clock; empty if none
   * was.
   */
  public Optional<Long> lastGiven(Target target) throws StoreException {
    return database.read(
        handle ->
            handle
                .createQuery(
                    "SELECT window_end FROM sedge_merge_window WHERE job = :job AND sink = :sink"
                        + " AND given_rows >= 0 ORDER BY window_end DESC LIMIT 1")
                .bind("job", target.job())
                .bind("sink", target.sink())
                .mapTo(Long.class)
                .findOne());
  }
}
