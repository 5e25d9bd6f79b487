package io.sedge.center.store.internal;

import io.sedge.center.store.AuditLog;
import io.sedge.center.store.Fleet;
import io.sedge.center.store.Fleet.Wanted;
import io.sedge.center.store.FleetVersion;
import io.sedge.center.store.FleetVersion.Action;
import io.sedge.center.store.Rollout;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Versions of jobs over many sites, in one transaction. */
public final class FleetRows {
  private static final String FINAL = "('CHECKED', 'REFUSED', 'DONE', 'ROLLED_BACK', 'REMOVED')";
  private static final String OPEN_SITES =
      Arrays.stream(Rollout.State.values())
          .filter(Rollout.State::isOpen)
          .map(state -> "'" + state.name() + "'")
          .collect(Collectors.joining(", ", "(", ")"));

  private final Handle handle;

  public FleetRows(Handle handle) {
    this.handle = handle;
  }

  /** Lets others that begin or take back a version wait. */
  public void lock(Dialect dialect) {
    handle
        .createQuery("SELECT version FROM sedge_fleet_version%s".formatted(dialect.lockSuffix()))
        .mapTo(Long.class)
        .list();
  }

  /** The latest first. */
  public List<FleetVersion> versions(String job) {
    return handle
        .createQuery("SELECT * FROM sedge_fleet_version WHERE job = :job ORDER BY version DESC")
        .bind("job", job)
        .map((row, _) -> version(row))
        .list();
  }

  public Optional<FleetVersion> find(String job, long version) {
    return handle
        .createQuery("SELECT * FROM sedge_fleet_version WHERE job = :job AND version = :version")
        .bind("job", job)
        .bind("version", version)
        .map((row, _) -> version(row))
        .findOne();
  }

  /** Of each job. */
  public List<FleetVersion> latest() {
    return handle
        .createQuery(
            "SELECT v.* FROM sedge_fleet_version v JOIN (SELECT job, max(version) AS latest FROM"
                + " sedge_fleet_version WHERE action <> 'CHECK' GROUP BY job) l"
                + " ON l.job = v.job AND l.latest = v.version ORDER BY v.job")
        .map((row, _) -> version(row))
        .list();
  }

  /**
   * Those that are not at their end, and those of which sites that were away are to be given it.
   */
  public List<FleetVersion> open() {
    return handle
        .createQuery(
            "SELECT * FROM sedge_fleet_version v WHERE state NOT IN "
                + FINAL
                + " OR (state IN ('DONE', 'ROLLED_BACK', 'REMOVED') AND EXISTS (SELECT 1 FROM"
                + " sedge_fleet_rollout r WHERE r.job = v.job AND r.version = v.version AND"
                + " r.state IN "
                + OPEN_SITES
                + ")) ORDER BY given_at, job, version")
        .map((row, _) -> version(row))
        .list();
  }

  public List<Rollout> rollouts(String job, long version) {
    return handle
        .createQuery(
            "SELECT * FROM sedge_fleet_rollout WHERE job = :job AND version = :version"
                + " ORDER BY site")
        .bind("job", job)
        .bind("version", version)
        .map((row, _) -> rollout(row))
        .list();
  }

  public Map<String, Long> installed(String job) {
    Map<String, Long> installed = new TreeMap<>();
    handle
        .createQuery("SELECT site, version FROM sedge_fleet_site WHERE job = :job")
        .bind("job", job)
        .map((row, _) -> Map.entry(row.getString(1), row.getLong(2)))
        .forEach(site -> installed.put(site.getKey(), site.getValue()));
    return installed;
  }

  /**
   * Adds the next version of a job. Where it is a removal, what is open of versions before ends.
   *
   * @param told the highest version that a site says it has; the new one is above it
   */
  public FleetVersion add(Wanted wanted, long told, Instant now) throws StoreException {
    List<FleetVersion> before = versions(wanted.job());
    if (before.isEmpty() && count() >= Fleet.MAX_JOBS) {
      throw new StoreException(
          Reason.TOO_LARGE, "%,d jobs are given to sites at most".formatted(Fleet.MAX_JOBS));
    }
    Map<String, Long> installed = installed(wanted.job());
    Set<String> sites = new TreeSet<>(wanted.sites());
    boolean removes = wanted.action() == Action.REMOVE;
    if (removes) {
      sites.clear();
      sites.addAll(installed.keySet());
      sites.addAll(askedSites(wanted.job()));
      if (sites.isEmpty()) {
        throw new StoreException(
            Reason.UNKNOWN_JOB, "no site has a job '%s' of the center".formatted(wanted.job()));
      }
    }
    FleetVersion version =
        new FleetVersion(
            wanted.job(),
            1 + Math.max(told, before.isEmpty() ? 0 : before.getFirst().version()),
            wanted.action(),
            wanted.script(),
            wanted.merged(),
            wanted.text(),
            wanted.waves(),
            wanted.gate(),
            wanted.maxLag(),
            wanted.by(),
            now,
            0,
            removes ? FleetVersion.State.REMOVING : FleetVersion.State.CHECKING,
            "",
            now);
    insert(version);
    for (String site : sites) {
      insert(
          version,
          site,
          installed.getOrDefault(site, 0L),
          removes ? Rollout.State.REMOVING : Rollout.State.WAITING);
    }
    if (removes) {
      supersede(version, now);
    }
    prune(wanted.job(), version.version(), Set.copyOf(installed.values()));
    return version;
  }

  /**
   * Keeps in mind who did something to a version.
   *
   * @param what a verb
   */
  public void audit(FleetVersion version, String who, String what, Instant at) {
    RegistryRows.audit(
        handle,
        at.toEpochMilli(),
        AuditLog.MAX_ENTRIES,
        List.of(
            who,
            "job " + what,
            version.job(),
            "version %d to %s".formatted(version.version(), version.sites())));
  }

  private long count() {
    return handle
        .createQuery("SELECT count(DISTINCT job) FROM sedge_fleet_version")
        .mapTo(Long.class)
        .one();
  }

  /** Sites that have a job, and those where something of it is still to be done. */
  public Set<String> touched(String job) {
    Set<String> sites = new TreeSet<>(installed(job).keySet());
    sites.addAll(openSites(job, ""));
    return sites;
  }

  /** Sites that were asked for something that is still to be done. */
  private List<String> askedSites(String job) {
    return openSites(job, " AND order_id IS NOT NULL");
  }

  private List<String> openSites(String job, String condition) {
    return handle
        .createQuery(
            "SELECT DISTINCT site FROM sedge_fleet_rollout WHERE job = :job AND state IN "
                + OPEN_SITES
                + condition)
        .bind("job", job)
        .mapTo(String.class)
        .list();
  }

  /** Ends what is open of versions before at the sites of a version. */
  public void supersede(FleetVersion version, Instant now) {
    handle
        .createUpdate(
            "UPDATE sedge_fleet_rollout SET before = coalesce((SELECT s.version FROM"
                + " sedge_fleet_site s WHERE s.job = sedge_fleet_rollout.job AND s.site ="
                + " sedge_fleet_rollout.site), 0) WHERE job = :job AND version = :version")
        .bind("job", version.job())
        .bind("version", version.version())
        .execute();
    handle
        .createUpdate(
            "UPDATE sedge_fleet_rollout SET state = 'UNTOUCHED', detail = :detail, state_at = :at"
                + " WHERE job = :job AND version < :version AND site IN (SELECT r.site FROM"
                + " sedge_fleet_rollout r WHERE r.job = :job AND r.version = :version)"
                + " AND state IN "
                + OPEN_SITES)
        .bind("detail", "version %d came".formatted(version.version()))
        .bind("at", now.toEpochMilli())
        .bind("job", version.job())
        .bind("version", version.version())
        .execute();
  }

  private void prune(String job, long latest, Set<Long> installed) {
    for (FleetVersion old : versions(job)) {
      if (old.version() <= latest - Fleet.MAX_VERSIONS
          && old.state().isFinal()
          && !installed.contains(old.version())) {
        for (String table : List.of("sedge_fleet_rollout", "sedge_fleet_version")) {
          handle.execute(
              "DELETE FROM %s WHERE job = ? AND version = ?".formatted(table), job, old.version());
        }
      }
    }
  }

  private void insert(FleetVersion version) {
    bind(
            handle.createUpdate(
                "INSERT INTO sedge_fleet_version (job, version, action, script, merged, sites,"
                    + " waves, gate_millis, max_lag, given_by, given_at, wave, state, detail,"
                    + " state_at) VALUES (:job, :version, :action, :script, :merged, :sites,"
                    + " :waves, :gate, :lag, :by, :at, :wave, :state, :detail, :stateAt)"),
            version)
        .bind("action", version.action().name())
        .bind("script", version.script())
        .bind("merged", version.merged() ? 1 : 0)
        .bind("sites", version.sites())
        .bind("waves", String.join(",", version.waves()))
        .bind("gate", version.gate().toMillis())
        .bind("lag", version.maxLag().toMillis())
        .bind("by", version.givenBy())
        .bind("at", version.givenAt().toEpochMilli())
        .execute();
  }

  private void insert(FleetVersion version, String site, long before, Rollout.State state) {
    handle
        .createUpdate(
            "INSERT INTO sedge_fleet_rollout (job, version, site, wave, before, state, detail,"
                + " state_at, tries, malformed, failures) VALUES (:job, :version, :site, 0,"
                + " :before, :state, '', :at, 0, -1, -1)")
        .bind("job", version.job())
        .bind("version", version.version())
        .bind("site", site)
        .bind("before", before)
        .bind("state", state.name())
        .bind("at", version.givenAt().toEpochMilli())
        .execute();
  }

  private static <T extends SqlStatement<T>> T bind(T statement, FleetVersion version) {
    return statement
        .bind("job", version.job())
        .bind("version", version.version())
        .bind("wave", version.wave())
        .bind("state", version.state().name())
        .bind("detail", version.detail())
        .bind("stateAt", version.stateAt().toEpochMilli());
  }

  /** What changes of a version; one that is to be rolled back stays so, whoever has not seen it. */
  public void update(FleetVersion version) {
    bind(
            handle.createUpdate(
                "UPDATE sedge_fleet_version SET wave = :wave, state = :state, detail = :detail,"
                    + " state_at = :stateAt WHERE job = :job AND version = :version"
                    + " AND (state <> 'ROLLING_BACK' OR :state IN ('ROLLING_BACK',"
                    + " 'ROLLED_BACK'))"),
            version)
        .execute();
  }

  /** What changes of a site; whether it did: one whose version was overtaken stays as it is. */
  public boolean update(Rollout rollout) {
    return handle
            .createUpdate(
                "UPDATE sedge_fleet_rollout SET wave = :wave, state = :state, detail = :detail,"
                    + " state_at = :stateAt, order_id = :order, tries = :tries, gate_at = :gateAt,"
                    + " malformed = :malformed, failures = :failures WHERE job = :job AND version ="
                    + " :version AND site = :site AND state <> 'UNTOUCHED'")
            .bind("job", rollout.job())
            .bind("version", rollout.version())
            .bind("site", rollout.site())
            .bind("wave", rollout.wave())
            .bind("state", rollout.state().name())
            .bind("detail", rollout.detail())
            .bind("stateAt", rollout.stateAt().toEpochMilli())
            .bind("order", rollout.order().map(UUID::toString).orElse(null))
            .bind("tries", rollout.tries())
            .bind("gateAt", rollout.gateAt().map(Instant::toEpochMilli).orElse(null))
            .bind("malformed", rollout.malformed())
            .bind("failures", rollout.failures())
            .execute()
        > 0;
  }

  /** Which version a site has; 0 for none. */
  public void install(String job, String site, long version) {
    handle.execute("DELETE FROM sedge_fleet_site WHERE job = ? AND site = ?", job, site);
    if (version > 0) {
      handle.execute(
          "INSERT INTO sedge_fleet_site (job, site, version) VALUES (?, ?, ?)", job, site, version);
    }
  }

  private static FleetVersion version(ResultSet row) throws SQLException {
    String waves = row.getString("waves");
    return new FleetVersion(
        row.getString("job"),
        row.getLong("version"),
        Action.valueOf(row.getString("action")),
        row.getString("script"),
        row.getLong("merged") == 1,
        row.getString("sites"),
        waves.isEmpty() ? List.of() : Arrays.asList(waves.split(",", -1)),
        Duration.ofMillis(row.getLong("gate_millis")),
        Duration.ofMillis(row.getLong("max_lag")),
        row.getString("given_by"),
        Instant.ofEpochMilli(row.getLong("given_at")),
        row.getInt("wave"),
        FleetVersion.State.valueOf(row.getString("state")),
        row.getString("detail"),
        Instant.ofEpochMilli(row.getLong("state_at")));
  }

  private static Rollout rollout(ResultSet row) throws SQLException {
    long gate = row.getLong("gate_at");
    boolean watched = !row.wasNull();
    @Nullable String order = row.getString("order_id");
    return new Rollout(
        row.getString("job"),
        row.getLong("version"),
        row.getString("site"),
        row.getInt("wave"),
        row.getLong("before"),
        Rollout.State.valueOf(row.getString("state")),
        row.getString("detail"),
        Instant.ofEpochMilli(row.getLong("state_at")),
        Optional.ofNullable(order).map(UUID::fromString),
        row.getInt("tries"),
        watched ? Optional.of(Instant.ofEpochMilli(gate)) : Optional.empty(),
        row.getLong("malformed"),
        row.getLong("failures"));
  }
}
