package io.sedge.center.internal.fleet;

import io.sedge.center.store.FleetVersion;
import io.sedge.center.store.Orders.Told;
import io.sedge.center.store.Rollout;
import io.sedge.center.store.Rollout.State;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.uplink.JobOrder;
import io.sedge.uplink.JobOrder.Action;
import io.sedge.uplink.OrderState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The next step of a version at one site. What is to be asked of the site is noted first, and given
 * then under the id that was noted; where the center is killed in between, nobody knows that order,
 * and another one takes its place. One thread.
 */
final class SiteStep {
  /** After how long without a word a site is not waited for. */
  static final Duration AWAY = Duration.ofMinutes(2);

  /** Within what time a site has told something that is given orders. */
  static final Duration PRESENT = Duration.ofMinutes(1);

  /** How long a site may take an order. */
  static final Duration ORDER_LIFE = Duration.ofMinutes(10);

  /** After how long an order is given again that could not be done yet. */
  static final Duration AGAIN = Duration.ofSeconds(15);

  /** How often that is done. */
  static final int MAX_TRIES = 10;

  /**
   * After how many failures an order that ends something is not waited for; it is given again, in
   * pauses that grow to a quarter of an hour.
   */
  static final int MAX_WAITED = 5;

  private final Store store;
  private final FleetVersion version;
  private final Instant started;
  private final Instant now;
  private final Map<String, Long> installed = new TreeMap<>();
  private final List<Asked> asked = new ArrayList<>();

  /** What is to be asked of a site, once it is noted. */
  record Asked(Rollout rollout, UUID id, JobOrder order) {}

  /**
   * @param started since when the center runs: before, no site could tell it anything
   */
  SiteStep(Store store, FleetVersion version, Instant started, Instant now) {
    this.store = store;
    this.version = version;
    this.started = started;
    this.now = now;
  }

  /** The versions that sites have turned out to have; 0 for none. */
  Map<String, Long> installed() {
    return installed;
  }

  /** What is to be asked of sites when their next steps are kept. */
  List<Asked> asked() {
    return asked;
  }

  /** What becomes of a site that is not asked; empty if that is no matter of the site. */
  Optional<Rollout> notAsked(Rollout rollout, StoreException why) {
    String text = String.valueOf(why.getMessage());
    return switch (why.reason()) {
      case REVOKED, UNKNOWN_SITE -> Optional.of(rollout.in(State.UNTOUCHED, text, now));
      case TOO_LARGE -> Optional.of(rollout.in(State.REFUSED, text, now));
      case BUSY -> Optional.of(rollout.failed(text, now));
      default -> Optional.empty();
    };
  }

  /** What is next; the same if there is nothing to do yet. */
  Rollout next(Rollout rollout) throws StoreException {
    Optional<Told> told = store.orders().condition(rollout.site());
    return switch (rollout.state()) {
      case WAITING -> waiting(rollout, told);
      case CHECKING -> checking(rollout, told);
      case CHECKED -> isDue(rollout) ? order(rollout, State.SENT, Action.DEPLOY, told) : rollout;
      case SENT -> sent(rollout, told);
      case GATED -> gated(rollout, told);
      case AWAY -> away(rollout, told);
      case ROLLING_BACK -> rollingBack(rollout, told);
      case REMOVING -> removing(rollout, told);
      case HEALTHY, REFUSED, FAILED, ROLLED_BACK, REMOVED, UNTOUCHED -> rollout;
    };
  }

  private boolean isDue(Rollout rollout) {
    return version.state() == FleetVersion.State.DONE
        || (version.state() == FleetVersion.State.ROLLING
            && rollout.wave() > 0
            && rollout.wave() <= version.wave());
  }

  private boolean isPresent(Optional<Told> told) {
    return told.isPresent() && !told.get().at().plus(PRESENT).isBefore(now);
  }

  private boolean isAway(Optional<Told> told) {
    Instant heard = told.map(Told::at).filter(at -> at.isAfter(started)).orElse(started);
    return heard.plus(AWAY).isBefore(now);
  }

  private Rollout waiting(Rollout rollout, Optional<Told> told) throws StoreException {
    if (isPresent(told)) {
      return order(rollout, State.CHECKING, Action.CHECK, told);
    }
    return isAway(told) ? rollout.away(now) : rollout;
  }

  /** Gives an order, unless one has failed a moment ago or the site is not there. */
  private Rollout order(Rollout rollout, State next, Action action, Optional<Told> told)
      throws StoreException {
    boolean ends = action == Action.REMOVE || next == State.ROLLING_BACK;
    if (isAway(told) && !ends) {
      return rollout.away(now);
    }
    Duration pause =
        ends ? AGAIN.multipliedBy(1L << Math.clamp(rollout.tries() - 1L, 0, 6)) : AGAIN;
    boolean pauses = rollout.tries() > 0 && rollout.stateAt().plus(pause).isAfter(now);
    if (pauses || !isPresent(told)) {
      return rollout;
    }
    boolean back = next == State.ROLLING_BACK && action == Action.DEPLOY;
    Optional<FleetVersion> given =
        back ? store.fleet().find(version.job(), rollout.before()) : Optional.of(version);
    if (given.isEmpty()) {
      return rollout.in(
          State.FAILED, "version %d is not kept any more".formatted(rollout.before()), now);
    }
    String script = action == Action.REMOVE ? "" : given.get().script();
    UUID id = UUID.randomUUID();
    Rollout noted = rollout.withOrder(next, id, now);
    asked.add(
        new Asked(noted, id, new JobOrder(action, version.job(), given.get().version(), script)));
    return noted;
  }

  /** How the order of a site is; UNKNOWN if there is none. */
  private record Answered(OrderState state, String detail) {}

  private Answered answered(Rollout rollout) throws StoreException {
    if (rollout.order().isEmpty()) {
      return new Answered(OrderState.UNKNOWN, "");
    }
    return store
        .orders()
        .find(rollout.site(), rollout.order().get())
        .map(order -> new Answered(order.state(), order.detail()))
        .orElse(new Answered(OrderState.UNKNOWN, ""));
  }

  private Rollout checking(Rollout rollout, Optional<Told> told) throws StoreException {
    Answered answered = answered(rollout);
    return switch (answered.state()) {
      case DONE -> rollout.in(State.CHECKED, "", now);
      case REFUSED -> rollout.in(State.REFUSED, answered.detail(), now);
      case FAILED ->
          rollout.tries() >= MAX_TRIES
              ? rollout.in(State.AWAY, answered.detail(), now)
              : rollout.failed(answered.detail(), now);
      case QUEUED, SENT, ACCEPTED, WRITTEN, CONFIRMED -> isAway(told) ? rollout.away(now) : rollout;
      case UNKNOWN, EXPIRED, CANCELLED ->
          rollout.order().isPresent()
              ? rollout.in(State.WAITING, "", now)
              : order(rollout, State.CHECKING, Action.CHECK, told);
    };
  }

  private Rollout sent(Rollout rollout, Optional<Told> told) throws StoreException {
    Answered answered = answered(rollout);
    return switch (answered.state()) {
      case DONE -> deployed(rollout);
      case REFUSED -> failure(rollout, answered.detail());
      case FAILED ->
          rollout.tries() >= MAX_TRIES
              ? failure(rollout, answered.detail())
              : rollout.failed(answered.detail(), now);
      case QUEUED, SENT, ACCEPTED, WRITTEN, CONFIRMED -> isAway(told) ? rollout.away(now) : rollout;
      case UNKNOWN, EXPIRED, CANCELLED -> order(rollout, State.SENT, Action.DEPLOY, told);
    };
  }

  private Rollout deployed(Rollout rollout) {
    installed.put(rollout.site(), version.version());
    return rollout.order().isPresent()
        ? rollout.withOrder(State.GATED, rollout.order().get(), now)
        : rollout;
  }

  private Rollout gated(Rollout rollout, Optional<Told> told) {
    if (isAway(told)) {
      return rollout.away(now);
    }
    if (told.isEmpty()) {
      return rollout;
    }
    return switch (new HealthGate(version, started, now).look(rollout, told.get())) {
      case HealthGate.Verdict.Wait(Rollout watched) -> watched;
      case HealthGate.Verdict.Well _ -> rollout.in(State.HEALTHY, "", now);
      case HealthGate.Verdict.Unwell(String why) -> failure(rollout, why);
    };
  }

  /** A site that comes late, when others are well, fails alone. */
  private Rollout failure(Rollout rollout, String why) {
    boolean late =
        version.state() == FleetVersion.State.DONE || rollout.wave() == version.lateWave();
    return rollout.in(late ? State.ROLLING_BACK : State.FAILED, why, now);
  }

  private Rollout away(Rollout rollout, Optional<Told> told) throws StoreException {
    boolean goesOn =
        switch (version.state()) {
          case CHECKING, ROLLING, DONE -> true;
          case ROLLING_BACK, REMOVING, CHECKED, REFUSED, ROLLED_BACK, REMOVED -> false;
        };
    if (!goesOn || !isPresent(told)) {
      return rollout;
    }
    return switch (answered(rollout).state()) {
      case DONE -> deployed(rollout);
      case QUEUED, SENT, ACCEPTED, WRITTEN, CONFIRMED ->
          rollout.withOrder(State.SENT, rollout.order().orElseThrow(), now);
      case UNKNOWN, EXPIRED, CANCELLED, REFUSED, FAILED -> rollout.in(State.WAITING, "", now);
    };
  }

  private Rollout rollingBack(Rollout rollout, Optional<Told> told) throws StoreException {
    Action action = rollout.before() == 0 ? Action.REMOVE : Action.DEPLOY;
    Answered answered = answered(rollout);
    return switch (answered.state()) {
      case DONE -> {
        installed.put(rollout.site(), rollout.before());
        yield rollout.in(State.ROLLED_BACK, rollout.detail(), now);
      }
      case REFUSED -> rollout.in(State.FAILED, "it is not rolled back: " + answered.detail(), now);
      case FAILED -> rollout.failed(answered.detail(), now);
      case QUEUED, SENT, ACCEPTED, WRITTEN, CONFIRMED -> rollout;
      case UNKNOWN, EXPIRED, CANCELLED -> order(rollout, State.ROLLING_BACK, action, told);
    };
  }

  private Rollout removing(Rollout rollout, Optional<Told> told) throws StoreException {
    Answered answered = answered(rollout);
    return switch (answered.state()) {
      case DONE -> {
        installed.put(rollout.site(), 0L);
        yield rollout.in(State.REMOVED, "", now);
      }
      case REFUSED -> rollout.in(State.FAILED, answered.detail(), now);
      case FAILED -> rollout.failed(answered.detail(), now);
      case QUEUED, SENT, ACCEPTED, WRITTEN, CONFIRMED -> rollout;
      case UNKNOWN, EXPIRED, CANCELLED -> order(rollout, State.REMOVING, Action.REMOVE, told);
    };
  }
}
