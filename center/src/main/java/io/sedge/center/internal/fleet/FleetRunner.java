package io.sedge.center.internal.fleet;

import io.sedge.center.store.FleetVersion;
import io.sedge.center.store.FleetVersion.Action;
import io.sedge.center.store.Merges.MergedJob;
import io.sedge.center.store.Rollout;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Sees to the versions of jobs that are under way, in a thread of its own: once a second while
 * there are any, and asks for them as often while there are none. All that it knows is in the
 * store, so that it goes on from there whenever it is killed.
 *
 * <p>First each site that answers says whether it can run the script; if one cannot, nothing is
 * changed anywhere. Then the sites get it wave by wave. The next wave begins when each site of this
 * one is well or does not answer, and one is well at all. If one is not well, all go back to what
 * they had. A site that is away gets the version when it comes back, by the same steps; if it is
 * not well then, it alone goes back.
 */
public final class FleetRunner implements AutoCloseable {
  private static final long LOOK_MILLIS = 1_000;
  private static final long AFTER_FAILURE_MILLIS = 10_000;

  private final Store store;
  private final InstantSource clock;
  private final Consumer<String> log;
  private final Instant started;
  private final Map<String, String> failures = new TreeMap<>();
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().name("sedge-center-fleet").daemon().unstarted(this::run);

  /**
   * One that does nothing by itself until it is started.
   *
   * @param log is told what becomes of versions, and what fails
   */
  public FleetRunner(Store store, InstantSource clock, Consumer<String> log) {
    this.store = store;
    this.clock = clock;
    this.log = log;
    this.started = clock.instant();
  }

  /** Begins, in a thread of its own. */
  public FleetRunner start() {
    thread.start();
    return this;
  }

  private void run() {
    try {
      long pause = 0;
      while (!ending.await(pause, TimeUnit.MILLISECONDS)) {
        pass();
        pause = failures.isEmpty() ? LOOK_MILLIS : AFTER_FAILURE_MILLIS;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does what is due, in the caller's thread, while it has none of its own. */
  public void pass() {
    List<FleetVersion> open;
    try {
      open = store.fleet().open();
    } catch (StoreException e) {
      say("", String.valueOf(e.getMessage()));
      return;
    }
    failures.keySet().retainAll(open.stream().map(FleetVersion::job).toList());
    for (FleetVersion version : open) {
      try {
        step(version);
        failures.remove(version.job());
      } catch (StoreException e) {
        say(version.job(), String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        say(version.job(), "a fault in Sedge: " + e);
      }
    }
  }

  private void say(String job, String why) {
    if (!why.equals(failures.put(job, why))) {
      log.accept(
          job.isEmpty()
              ? "jobs of many sites cannot be seen to: " + why
              : "job %s of many sites does not go on: %s".formatted(job, why));
    }
  }

  private void step(FleetVersion version) throws StoreException {
    Instant now = clock.instant();
    List<Rollout> before = store.fleet().rollouts(version.job(), version.version());
    SiteStep step = new SiteStep(store, version, started, now);
    List<Rollout> sites = new ArrayList<>(before.size());
    for (Rollout rollout : before) {
      sites.add(step.next(rollout));
    }
    Progress next = next(new Progress(version, sites), now);
    List<Rollout> changed = new ArrayList<>(next.sites());
    changed.removeAll(before);
    if (next.version().equals(version) && changed.isEmpty() && step.installed().isEmpty()) {
      return;
    }
    store.fleet().save(next.version(), changed, step.installed());
    if (next.version().state() != version.state()) {
      merge(next.version());
      log.accept(
          "job %s, version %d: %s%s"
              .formatted(
                  version.job(),
                  version.version(),
                  next.version().state(),
                  next.version().detail().isEmpty() ? "" : ": " + next.version().detail()));
    }
  }

  /** A version and its sites. */
  private record Progress(FleetVersion version, List<Rollout> sites) {
    boolean any(Rollout.State... states) {
      List<Rollout.State> wanted = List.of(states);
      return sites.stream().anyMatch(site -> wanted.contains(site.state()));
    }

    /** The sites that are in a state, with why. */
    String why(Rollout.State state) {
      return sites.stream()
          .filter(site -> site.state() == state)
          .limit(5)
          .map(site -> "%s: %s".formatted(site.site(), site.detail()))
          .collect(Collectors.joining("; "));
    }

    Progress in(FleetVersion.State state, String why, Instant now) {
      return new Progress(version.in(state, why, now), sites);
    }
  }

  private Progress next(Progress at, Instant now) throws StoreException {
    return switch (at.version().state()) {
      case CHECKING -> checked(at, now);
      case ROLLING -> rolled(at, now);
      case ROLLING_BACK -> rolledBack(at, now);
      case REMOVING ->
          isUnderWay(at.sites(), Rollout.State.REMOVING, now)
              ? at
              : at.in(FleetVersion.State.REMOVED, at.why(Rollout.State.FAILED), now);
      case CHECKED, REFUSED, DONE, ROLLED_BACK, REMOVED -> at;
    };
  }

  private static Progress checked(Progress at, Instant now) {
    if (at.any(Rollout.State.WAITING, Rollout.State.CHECKING)) {
      return at;
    }
    if (at.any(Rollout.State.REFUSED)) {
      return new Progress(at.version(), untouched(at.sites(), now))
          .in(FleetVersion.State.REFUSED, at.why(Rollout.State.REFUSED), now);
    }
    if (at.version().action() == Action.CHECK) {
      return at.in(FleetVersion.State.CHECKED, "", now);
    }
    List<Rollout> ready = in(at.sites(), Rollout.State.CHECKED);
    Iterator<Integer> waves = Waves.of(at.version().waves(), ready.size()).iterator();
    List<Rollout> sites =
        at.sites().stream()
            .map(site -> site.state() == Rollout.State.CHECKED ? site.ofWave(waves.next()) : site)
            .toList();
    return new Progress(at.version().inWave(1), sites).in(FleetVersion.State.ROLLING, "", now);
  }

  private static List<Rollout> in(List<Rollout> sites, Rollout.State state) {
    return sites.stream().filter(site -> site.state() == state).toList();
  }

  /** Of what was only asked, nothing is left to do. */
  private static List<Rollout> untouched(List<Rollout> sites, Instant now) {
    return sites.stream()
        .map(
            site ->
                site.order().isEmpty() && site.state().isOpen()
                    ? site.in(Rollout.State.UNTOUCHED, "", now)
                    : site)
        .toList();
  }

  private static Progress rolled(Progress at, Instant now) {
    if (at.any(Rollout.State.FAILED)) {
      return back(at, at.why(Rollout.State.FAILED), now);
    }
    List<Rollout> ofWaves = at.sites().stream().filter(site -> site.wave() > 0).toList();
    Predicate<Rollout> isPast =
        site -> !site.state().isOpen() || site.state() == Rollout.State.AWAY;
    boolean waits =
        !ofWaves.stream().filter(site -> site.wave() <= at.version().wave()).allMatch(isPast)
            || (!ofWaves.isEmpty() && !at.any(Rollout.State.HEALTHY));
    if (waits) {
      return at;
    }
    int last = ofWaves.stream().mapToInt(Rollout::wave).max().orElse(0);
    return at.version().wave() < last
        ? new Progress(at.version().inWave(at.version().wave() + 1), at.sites())
        : at.in(FleetVersion.State.DONE, "", now);
  }

  /** Takes a version back at all sites that may have it. */
  private static Progress back(Progress at, String why, Instant now) {
    List<Rollout> sites =
        at.sites().stream()
            .map(
                site ->
                    switch (site.state()) {
                      case SENT, GATED, HEALTHY, FAILED ->
                          site.in(Rollout.State.ROLLING_BACK, site.detail(), now);
                      case AWAY ->
                          site.order().isPresent()
                              ? site.in(Rollout.State.ROLLING_BACK, "", now)
                              : site.in(Rollout.State.UNTOUCHED, "", now);
                      case WAITING, CHECKING, CHECKED -> site.in(Rollout.State.UNTOUCHED, "", now);
                      case ROLLING_BACK, REMOVING, REFUSED, ROLLED_BACK, REMOVED, UNTOUCHED -> site;
                    })
            .toList();
    return new Progress(at.version(), sites).in(FleetVersion.State.ROLLING_BACK, why, now);
  }

  private Progress rolledBack(Progress at, Instant now) throws StoreException {
    boolean begins =
        at.any(
            Rollout.State.SENT,
            Rollout.State.GATED,
            Rollout.State.HEALTHY,
            Rollout.State.AWAY,
            Rollout.State.WAITING,
            Rollout.State.CHECKING,
            Rollout.State.CHECKED);
    if (begins) {
      return back(at, at.version().detail(), now); // A person wants it back.
    }
    return isUnderWay(at.sites(), Rollout.State.ROLLING_BACK, now)
        ? at
        : at.in(FleetVersion.State.ROLLED_BACK, at.version().detail(), now);
  }

  /** Whether a site that answers is in a state still. */
  private boolean isUnderWay(List<Rollout> sites, Rollout.State state, Instant now)
      throws StoreException {
    for (Rollout site : in(sites, state)) {
      Optional<Instant> told = store.orders().condition(site.site()).map(last -> last.at());
      Instant heard = told.filter(at -> at.isAfter(started)).orElse(started);
      if (!heard.plus(SiteStep.AWAY).isBefore(now)) {
        return true;
      }
    }
    return false;
  }

  /** The center merges what sites give by the script that they have. */
  private void merge(FleetVersion version) throws StoreException {
    switch (version.state()) {
      case ROLLING -> merge(version.job(), Optional.of(version));
      case ROLLED_BACK -> merge(version.job(), latestOfSites(version.job()));
      case REMOVED -> store.merges().remove(version.job());
      case CHECKING, ROLLING_BACK, REMOVING, CHECKED, REFUSED, DONE -> {}
    }
  }

  private Optional<FleetVersion> latestOfSites(String job) throws StoreException {
    Optional<Long> latest = store.fleet().installed(job).values().stream().max(Long::compareTo);
    return latest.isEmpty() ? Optional.empty() : store.fleet().find(job, latest.get());
  }

  private void merge(String job, Optional<FleetVersion> version) throws StoreException {
    Optional<FleetVersion> merged = version.filter(FleetVersion::merged);
    if (merged.isPresent()) {
      store.merges().put(new MergedJob(job, merged.get().script()));
    } else {
      store.merges().remove(job);
    }
  }

  /** Ends after what is under way. */
  @Override
  public void close() {
    ending.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
