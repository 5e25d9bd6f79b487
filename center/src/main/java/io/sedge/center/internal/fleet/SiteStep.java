package io.sedge.center.internal.fleet;

import io.sedge.center.store.FleetVersion;
import io.sedge.center.store.GivenOrder;
import io.sedge.center.store.Orders.Told;
import io.sedge.center.store.Rollout;
import io.sedge.center.store.Rollout.State;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.uplink.JobOrder;
import io.sedge.uplink.JobOrder.Action;
import io.sedge.uplink.OrderState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The next step of a version at one site. Orders may be given twice where the center is killed
 * before it has noted one: sites do nothing the second time. One thread.
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

  private final Store store;
  private final FleetVersion version;
  private final Instant started;
  private final Instant now;
  private final Map<String, Long> installed = new TreeMap<>();

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

  /** What is next; the same if there is nothing to do yet. */
  Rollout next(Rollout rollout) throws StoreException {
    Optional<Told> told = store.orders().condition(rollout.site());
    try {
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
    } catch (StoreException e) {
      if (e.reason() == Reason.REVOKED || e.reason() == Reason.UNKNOWN_SITE) {
        return rollout.in(State.UNTOUCHED, String.valueOf(e.getMessage()), now);
      }
      throw e;
    }
  }

  private boolean isDue(Rollout rollout) {
    return version.state() == FleetVersion.State.DONE
        || (version.state() == FleetVersion.State.ROLLING && rollout.wave() <= version.wave());
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
    boolean pauses = rollout.tries() > 0 && rollout.stateAt().plus(AGAIN).isAfter(now);
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
    GivenOrder order =
        store
            .orders()
            .give(
                rollout.site(),
                new JobOrder(action, version.job(), given.get().version(), script),
                version.givenBy(),
                Optional.of(ORDER_LIFE));
    return rollout.withOrder(next, order.id(), now);
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
              ? rollout.in(State.REFUSED, answered.detail(), now)
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
    return switch (new HealthGate(version, now).look(rollout, told.get())) {
      case HealthGate.Verdict.Wait(Rollout watched) -> watched;
      case HealthGate.Verdict.Well _ -> rollout.in(State.HEALTHY, "", now);
      case HealthGate.Verdict.Unwell(String why) -> failure(rollout, why);
    };
  }

  /** Once the others have it, a site that comes late fails alone. */
  private Rollout failure(Rollout rollout, String why) {
    return rollout.in(
        version.state() == FleetVersion.State.DONE ? State.ROLLING_BACK : State.FAILED, why, now);
  }

  private Rollout away(Rollout rollout, Optional<Told> told) throws StoreException {
    boolean goesOn =
        version.action() == FleetVersion.Action.DEPLOY
            && (version.state() == FleetVersion.State.DONE
                || version.state() == FleetVersion.State.ROLLING);
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
