package io.sedge.center.store;

import io.sedge.center.store.FleetVersion.Action;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.FleetRows;
import io.sedge.uplink.SiteCondition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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
  private final Orders orders;

  /**
   * @param orders which knows what sites tell of themselves
   */
  Fleet(Database database, InstantSource clock, Orders orders) {
    this.database = database;
    this.clock = clock;
    this.orders = orders;
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
   * @param permission of who wants it: for all sites that are meant, and those that have the job
   * @throws StoreException NOT_PERMITTED; UNDER_WAY while another version of it is under way;
   *     TOO_LARGE; UNKNOWN_JOB if no site has the job that is to be removed
   */
  public FleetVersion begin(Wanted wanted, Permission permission) throws StoreException {
    Instant now = clock.instant();
    long told = highestTold(wanted);
    return database.write(
        handle -> {
          FleetRows rows = new FleetRows(handle);
          rows.lock(database.dialect());
          permission.check(wanted.sites());
          permission.check(rows.touched(wanted.job()));
          for (FleetVersion known : rows.versions(wanted.job())) {
            if (!known.state().isFinal()) {
              throw new StoreException(
                  Reason.UNDER_WAY,
                  "version %d of job %s is under way (%s, %s): wait for it, or end it by `sedge center job rollback %s --version %d`"
                      .formatted(
                          known.version(),
                          known.job(),
                          known.action().name().toLowerCase(Locale.ROOT),
                          known.state(),
                          known.job(),
                          known.version()));
            }
          }
          FleetVersion added = rows.add(wanted, told, now);
          String action = added.action().name().toLowerCase(Locale.ROOT);
          rows.audit(added, added.givenBy(), action, now);
          return added;
        });
  }

  /** A center that was put back from a backup has given numbers that it does not know. */
  private long highestTold(Wanted wanted) throws StoreException {
    long highest = 0;
    for (String site : wanted.sites()) {
      Optional<Orders.Told> told = orders.condition(site);
      if (told.isPresent()) {
        highest =
            told.get().condition().jobs().stream()
                .filter(job -> job.name().equals(wanted.job()))
                .mapToLong(SiteCondition.OfJob::given)
                .reduce(highest, Math::max);
      }
    }
    return highest;
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
   * By which script the center merges what a job's sites give.
   *
   * @param script empty if it merges nothing of it
   */
  public record MergeChange(Optional<String> script) {
    /** Nothing is merged any more. */
    public static final MergeChange NONE = new MergeChange(Optional.empty());
  }

  /**
   * Keeps what has changed of a version and its sites, all of it or nothing. When a version comes
   * to its first wave, what is open of versions before ends at its sites.
   *
   * @param installed the version that sites have from now on; 0 for none
   * @param merge what changes of merging
   * @return of the sites of {@code rollouts}, those that no later version has overtaken
   */
  public Set<String> save(
      FleetVersion version,
      List<Rollout> rollouts,
      Map<String, Long> installed,
      Optional<MergeChange> merge)
      throws StoreException {
    Instant now = clock.instant();
    return database.write(
        handle -> {
          FleetRows rows = new FleetRows(handle);
          boolean begins =
              version.state() == FleetVersion.State.ROLLING
                  && rows.find(version.job(), version.version())
                      .filter(known -> known.state() == FleetVersion.State.CHECKING)
                      .isPresent();
          rows.update(version);
          Set<String> kept = new TreeSet<>();
          for (Rollout rollout : rollouts) {
            if (rows.update(rollout)) {
              kept.add(rollout.site());
            }
          }
          if (begins) {
            rows.supersede(version, now);
          }
          if (merge.isPresent()) {
            Optional<String> script = merge.get().script();
            if (script.isPresent()) {
              Merges.put(handle, new Merges.MergedJob(version.job(), script.get()), now);
            } else {
              Merges.remove(handle, version.job());
            }
          }
          for (Map.Entry<String, Long> site : installed.entrySet()) {
            rows.install(version.job(), site.getKey(), site.getValue());
          }
          return kept;
        });
  }

  /**
   * Says that a version is to be taken back; the one who sees to versions does it. It is the one
   * that is under way, else the latest that was given to sites. One that is only checked ends, and
   * nothing is changed anywhere.
   *
   * @param meant which version it must be; empty for whichever it is
   * @param permission of who says so: for all sites that have the job or that version
   * @throws StoreException NOT_PERMITTED; UNKNOWN_JOB; UNDER_WAY if there is nothing to take back,
   *     or it is not the version that is meant
   */
  public FleetVersion rollBack(String job, Optional<Long> meant, String by, Permission permission)
      throws StoreException {
    Instant now = clock.instant();
    return database.write(
        handle -> {
          FleetRows rows = new FleetRows(handle);
          rows.lock(database.dialect());
          List<FleetVersion> versions = rows.versions(job);
          FleetVersion last =
              versions.stream()
                  .filter(version -> !version.state().isFinal())
                  .findFirst()
                  .or(() -> versions.stream().filter(FleetVersion::changesSites).findFirst())
                  .orElseThrow(() -> unknown(job));
          permission.check(rows.touched(job));
          permission.check(rows.rollouts(job, last.version()).stream().map(Rollout::site).toList());
          if (meant.isPresent() && meant.get() != last.version()) {
            throw new StoreException(
                Reason.UNDER_WAY,
                "job %s: version %d would be rolled back, not %d; nothing was done"
                    .formatted(job, last.version(), meant.get()));
          }
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
          rows.audit(back, by, "rollback", now);
          return back;
        });
  }

  private static StoreException unknown(String job) {
    return new StoreException(Reason.UNKNOWN_JOB, "no job '%s' was given to sites".formatted(job));
  }
}
