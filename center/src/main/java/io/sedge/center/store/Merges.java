package io.sedge.center.store;

import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.PartRows;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

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
   * @param last the sequence of the last of {@code times}
   * @param times when they are, in microseconds: in their slices
   */
  public record NewParts(long stream, long last, List<Long> times) {
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
   * @param given whether it has rows, or had none, of parts that came before
   * @param changedMillis when the last of its parts was looked at
   */
  public record OpenWindow(WindowKey window, boolean given, long changedMillis) {}

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
  void put(MergedJob job) throws StoreException {
    database.change(handle -> put(handle, job, clock.instant()));
  }

  /** The same in a transaction of somebody. */
  static void put(Handle handle, MergedJob job, Instant now) {
    // Rows of the center are of a site as all rows are. It has no key, so nobody is it.
    handle.execute(
        "INSERT INTO sedge_site (name, ledger, fingerprint, state, labels, enrolled_at,"
            + " generation) VALUES (?, ?, ?, ?, '{}', ?, 0) ON CONFLICT (name) DO NOTHING",
        CENTER,
        CENTER,
        CENTER,
        Site.State.ACTIVE.name(),
        now.toEpochMilli());
    handle.execute(
        "INSERT INTO sedge_merge (job, script, merged_at) VALUES (?, ?, ?) ON CONFLICT (job)"
            + " DO UPDATE SET script = excluded.script, merged_at = excluded.merged_at",
        job.name(),
        job.script(),
        now.toEpochMilli());
  }

  /** Merges a job no more; its rows stay, what is known of its windows is forgotten. */
  void remove(String job) throws StoreException {
    database.change(handle -> remove(handle, job));
  }

  /** The same in a transaction of somebody. */
  static void remove(Handle handle, String job) {
    handle.execute("DELETE FROM sedge_merge WHERE job = ?", job);
    handle.execute("DELETE FROM sedge_merge_stream WHERE job = ?", job);
    handle.execute("DELETE FROM sedge_merge_window WHERE job = ?", job);
  }

  /**
   * Parts that have come since {@link #mark}.
   *
   * @param timeColumn which column of the parts says when they are
   * @param limit how many of each stream are looked at, at most
   */
  public List<NewParts> newParts(Target target, String timeColumn, int limit)
      throws StoreException {
    return parts.unseen(target, timeColumn, limit);
  }

  /**
   * Says that parts were looked at, and which windows they are of: these are open from now on. A
   * window that was given of the parts of another version of the job stays as it is.
   *
   * @param doneUntil the end of the last slice that the stream has given
   */
  public void mark(Target target, NewParts seen, long doneUntil, Collection<WindowKey> windows)
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
          PreparedBatch batch =
              handle.prepareBatch(
                  "INSERT INTO sedge_merge_window (job, sink, parts_table, window_start,"
                      + " window_end, open, given, changed) VALUES (?, ?, ?, ?, ?, 1, 0, ?)"
                      + " ON CONFLICT (job, sink, window_end, window_start) DO UPDATE SET open = 1,"
                      + " changed = excluded.changed, parts_table = excluded.parts_table WHERE"
                      + " sedge_merge_window.given = 0 OR sedge_merge_window.parts_table ="
                      + " excluded.parts_table");
          for (WindowKey window : windows) {
            batch.add(
                target.job(),
                target.sink(),
                target.partsTable(),
                window.start(),
                window.end(),
                now);
          }
          if (batch.size() > 0) {
            batch.execute();
          }
        });
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
                    "SELECT window_start, window_end, given, changed FROM sedge_merge_window"
                        + " WHERE job = :job AND sink = :sink AND open = 1"
                        + " ORDER BY window_end LIMIT :most")
                .bind("job", target.job())
                .bind("sink", target.sink())
                .bind("most", OPEN_AT_A_TIME)
                .map(
                    (row, _) ->
                        new OpenWindow(
                            new WindowKey(row.getLong(1), row.getLong(2)),
                            row.getInt(3) != 0,
                            row.getLong(4)))
                .list());
  }

  /**
   * The parts between two times. Of a site that was put back, and has sent a slice of time again,
   * those count that it has sent last.
   *
   * @param timeColumn the position in {@code schema} of the column that says when they are
   * @param from in microseconds
   * @param to exclusive
   * @param slice what slice of time a time is in
   * @throws StoreException QUERY_ENDED if they are too many
   */
  public List<SiteParts> parts(
      Target target, Schema schema, int timeColumn, long from, long to, LongUnaryOperator slice)
      throws StoreException {
    return parts.between(target, schema, timeColumn, from, to, slice);
  }

  /** Parts that one site has sent. */
  public record SiteParts(String site, Batch rows) {}

  /**
   * The keys that the center's rows of a window have now.
   *
   * @param table that is written
   * @param schema its columns, as the job has them
   * @param key the columns of its key, by position
   * @param windowColumn one of them, which tells the window by {@code windowValue}
   */
  public Set<List<Object>> keys(
      Target target,
      String table,
      Schema schema,
      List<Integer> key,
      int windowColumn,
      long windowValue)
      throws StoreException {
    return parts.keys(target, table, schema, key, windowColumn, windowValue);
  }

  /** A window has its rows, of all of its parts that have been looked at. */
  public void given(Target target, WindowKey window) throws StoreException {
    database.change(
        handle ->
            handle.execute(
                "UPDATE sedge_merge_window SET open = 0, given = 1 WHERE job = ? AND sink = ? AND"
                    + " window_start = ? AND window_end = ?",
                target.job(),
                target.sink(),
                window.start(),
                window.end()));
  }

  /** Makes the windows of a table quick to find. */
  public void index(String table, String column) throws StoreException {
    database.change(handle -> handle.execute(PartRows.index(table, column)));
  }

  /** How long parts are kept, unless somebody has said so for their table. */
  public void keep(String partsTable, Duration keep, String timeColumn) throws StoreException {
    database.change(
        handle ->
            handle.execute(
                "UPDATE sedge_table SET keep_ms = ?, retention_column = ? WHERE name = ? AND"
                    + " keep_ms IS NULL",
                keep.toMillis(),
                timeColumn,
                partsTable));
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
                        + " AND given = 1 ORDER BY window_end DESC LIMIT 1")
                .bind("job", target.job())
                .bind("sink", target.sink())
                .mapTo(Long.class)
                .findOne());
  }
}
