package io.sedge.center.store.internal;

import io.sedge.center.store.OpenedStream;
import io.sedge.center.store.Site;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.uplink.StreamOpening;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The streams that sites have opened. Any thread. */
final class Streams {
  private final Dialect dialect;

  /** How often plans were forgotten. */
  private final AtomicInteger changes = new AtomicInteger();

  private final Map<Long, StreamPlan> plans = new ConcurrentHashMap<>();

  Streams(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Another one may have been opened under a name. */
  void forget() {
    changes.incrementAndGet();
    plans.clear();
  }

  /**
   * Makes or finds a stream within a transaction; {@link #forget} when it has ended.
   *
   * @throws StoreException UNKNOWN_SITE; REVOKED; SEQUENCE_WENT_BACK
   */
  OpenedStream open(Handle handle, String site, StreamOpening opening, long nowMillis)
      throws StoreException {
    int generation = generation(handle, site);
    List<String> key =
        opening.primaryKey().stream().map(column -> opening.schema().name(column)).toList();
    Optional<Stored> stored =
        handle
            .createQuery(
                "SELECT id, generation, applied FROM sedge_stream WHERE site = :site AND job = :job"
                    + " AND task = :task AND sink = :sink"
                    + dialect.lockSuffix())
            .bind("site", site)
            .bind("job", opening.job())
            .bind("task", opening.task())
            .bind("sink", opening.sink())
            .map((row, _) -> new Stored(row.getLong(1), row.getInt(2), row.getLong(3)))
            .findOne();
    if (stored.isPresent()) {
      Stored stream = stored.get().in(generation);
      handle
          .createUpdate(
              "UPDATE sedge_stream SET result_table = :table, columns = :columns,"
                  + " key_columns = :key, generation = :generation, applied = :applied,"
                  + " opened_at = :at WHERE id = :id")
          .bind("table", opening.table())
          .bind("columns", Schemas.text(opening.schema()))
          .bind("key", Schemas.text(key))
          .bind("generation", stream.generation())
          .bind("applied", stream.applied())
          .bind("at", nowMillis)
          .bind("id", stream.id())
          .execute();
      if (!stream.equals(stored.get())) {
        handle.execute("DELETE FROM sedge_block WHERE stream = ?", stream.id());
      }
      return new OpenedStream(stream.id(), stream.applied());
    }
    long id =
        handle
            .createQuery(
                "INSERT INTO sedge_stream (site, job, task, sink, result_table, columns,"
                    + " key_columns, generation, applied, row_count, byte_count, rejected,"
                    + " opened_at) VALUES (:site, :job, :task, :sink, :table, :columns, :key,"
                    + " :generation, 0, 0, 0, 0, :at) RETURNING id")
            .bind("site", site)
            .bind("job", opening.job())
            .bind("task", opening.task())
            .bind("sink", opening.sink())
            .bind("table", opening.table())
            .bind("columns", Schemas.text(opening.schema()))
            .bind("key", Schemas.text(key))
            .bind("generation", generation)
            .bind("at", nowMillis)
            .mapTo(Long.class)
            .one();
    return new OpenedStream(id, 0);
  }

  private record Stored(long id, int generation, long applied) {
    /** The stream in a generation of its site: it begins anew in a later one. */
    Stored in(int siteGeneration) {
      return siteGeneration > generation ? new Stored(id, siteGeneration, 0) : this;
    }
  }

  private static int generation(Handle handle, String site) throws StoreException {
    SiteState state =
        handle
            .createQuery("SELECT state, held, generation FROM sedge_site WHERE name = :site")
            .bind("site", site)
            .map((row, _) -> new SiteState(row.getString(1), row.getString(2), row.getInt(3)))
            .findOne()
            .orElseThrow(() -> SiteState.unknown(site));
    state.check(site);
    return state.generation();
  }

  /** A site as its rows are judged by. */
  record SiteState(String state, @Nullable String held, int generation) {
    static StoreException unknown(String site) {
      return new StoreException(
          Reason.UNKNOWN_SITE, "no site is called '%s': enrol it".formatted(site));
    }

    void check(String site) throws StoreException {
      if (state.equals(Site.State.REVOKED.name())) {
        throw new StoreException(
            Reason.REVOKED, "site '%s' was shut out: a new token admits it".formatted(site));
      }
      if (held != null) {
        throw new StoreException(Reason.SEQUENCE_WENT_BACK, held);
      }
    }
  }

  /** A stream by its id; empty if there is none. */
  Optional<StreamPlan> find(Database database, long id) throws StoreException {
    StreamPlan known = plans.get(id);
    if (known != null) {
      return Optional.of(known);
    }
    int before = changes.get();
    Optional<StreamPlan> found =
        database.read(
            handle ->
                handle
                    .createQuery(
                        "SELECT id, site, job, result_table, columns FROM sedge_stream WHERE id ="
                            + " :id")
                    .bind("id", id)
                    .map(
                        (row, _) ->
                            new StreamPlan(
                                row.getLong(1),
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                Schemas.schema(row.getString(5))))
                    .findOne());
    found.ifPresent(plan -> plans.put(id, plan));
    if (changes.get() != before) {
      // It may have been opened anew, with other columns, while it was looked up.
      plans.remove(id);
    }
    return found;
  }
}
