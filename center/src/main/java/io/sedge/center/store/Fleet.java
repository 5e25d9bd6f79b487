package io.sedge.center.store;

import io.sedge.center.store.FleetVersion.Action;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.FleetRows;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Jobs that the center gives to many sites: versions of each, how far each version is at each site,
 * and which one each site has. Any thread; one changes what is known of versions that are under
 * way.
 */
public final class Fleet {
  /** How many jobs there may be. */
  public static final int MAX_JOBS = 1_000;

  /** How many versions of a job are kept, besides those that a site has. */
  public static final int MAX_VERSIONS = 50;

  /** The most characters of a script. */
  public static final int MAX_SCRIPT = 256 << 10;

  private final Database database;
  private final InstantSource clock;

  Fleet(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * What somebody wants of a job.
   *
   * @param text how the sites were chosen, for people
   * @param sites that are meant; not looked at for a removal, which is for all that have the job
   */
  public record Wanted(
      String job,
      Action action,
      String script,
      boolean merged,
      String text,
      List<String> sites,
      List<String> waves,
      Duration gate,
      Duration maxLag,
      String by) {
    public Wanted {
      sites = List.copyOf(sites);
      waves = List.copyOf(waves);
    }
  }

  /**
   * Makes a new version of a job, which is under way from then on.
   *
   * @throws StoreException UNDER_WAY while another version of it is under way; TOO_LARGE;
   *     UNKNOWN_JOB if no site has the job that is to be removed
   */
  public FleetVersion begin(Wanted wanted) throws StoreException {
    Instant now = clock.instant();
    return database.write(
        handle -> {
          FleetRows rows = new FleetRows(handle);
          rows.lock(database.dialect());
          for (FleetVersion known : rows.versions(wanted.job())) {
            if (!known.state().isFinal()) {
              throw new StoreException(
                  Reason.UNDER_WAY,
                  "version %d of job %s is under way (%s): wait for it, or roll it back"
                      .formatted(known.version(), known.job(), known.state()));
            }
          }
          return rows.add(wanted, now);
        });
  }

  /** The latest version of each job, by name. */
  public List<FleetVersion> jobs() throws StoreException {
    return database.read(handle -> new FleetRows(handle).latest());
  }

  /** All that are kept of a job, the latest first. */
  public List<FleetVersion> versions(String job) throws StoreException {
    return database.read(handle -> new FleetRows(handle).versions(job));
  }

  /** A version of a job. */
  public Optional<FleetVersion> find(String job, long version) throws StoreException {
    return database.read(handle -> new FleetRows(handle).find(job, version));
  }

  /** Those of which something is still to be done, the earliest first. */
  public List<FleetVersion> open() throws StoreException {
    return database.read(handle -> new FleetRows(handle).open());
  }

  /** By site. */
  public List<Rollout> rollouts(String job, long version) throws StoreException {
    return database.read(handle -> new FleetRows(handle).rollouts(job, version));
  }

  /** Which version each site has, by site. */
  public Map<String, Long> installed(String job) throws StoreException {
    return database.read(handle -> new FleetRows(handle).installed(job));
  }

  /**
   * Keeps what has changed of a version and its sites, all of it or nothing.
   *
   * @param installed the version that sites have from now on; 0 for none
   */
  public void save(FleetVersion version, List<Rollout> rollouts, Map<String, Long> installed)
      throws StoreException {
    database.change(
        handle -> {
          FleetRows rows = new FleetRows(handle);
          rows.update(version);
          for (Rollout rollout : rollouts) {
            rows.update(rollout);
          }
          for (Map.Entry<String, Long> site : installed.entrySet()) {
            rows.install(version.job(), site.getKey(), site.getValue());
          }
        });
  }

  /**
   * Says that a version is to be taken back; the one who sees to versions does it.
   *
   * @throws StoreException UNKNOWN_JOB; UNDER_WAY if there is nothing to take back
   */
  public FleetVersion rollBack(String job, String by) throws StoreException {
    Instant now = clock.instant();
    return database.write(
        handle -> {
          FleetRows rows = new FleetRows(handle);
          rows.lock(database.dialect());
          FleetVersion last =
              rows.versions(job).stream()
                  .filter(version -> version.action() != Action.CHECK)
                  .findFirst()
                  .orElseThrow(() -> unknown(job));
          boolean may =
              switch (last.state()) {
                case CHECKING, ROLLING, DONE -> true;
                case ROLLING_BACK, REMOVING, CHECKED, REFUSED, ROLLED_BACK, REMOVED -> false;
              };
          if (!may) {
            throw new StoreException(
                Reason.UNDER_WAY,
                "version %d of job %s is %s: there is nothing to roll back"
                    .formatted(last.version(), job, last.state()));
          }
          FleetVersion back = last.in(FleetVersion.State.ROLLING_BACK, "by " + by, now);
          rows.update(back);
          return back;
        });
  }

  private static StoreException unknown(String job) {
    return new StoreException(Reason.UNKNOWN_JOB, "no job '%s' was given to sites".formatted(job));
  }
}
