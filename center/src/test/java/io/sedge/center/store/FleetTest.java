package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.internal.fleet.FleetRunner;
import io.sedge.center.store.Fleet.Wanted;
import io.sedge.center.store.FleetVersion.Action;
import io.sedge.center.store.FleetVersion.State;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.uplink.JobOrder;
import io.sedge.uplink.Order;
import io.sedge.uplink.OrderOutcome;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.OrderState;
import io.sedge.uplink.SiteCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Versions of a job on their way to sites, of which a test plays the sites' side. */
class FleetTest extends StoreTestBase {
  private static final String JOB = "fleet";
  private static final Duration GATE = Duration.ofSeconds(60);
  private static final Duration ROUND = Duration.ofSeconds(5);
  private static final int ROUNDS = 200;
  private static final Permission ALL = Permission.everywhere(AccessTokens.Role.ENGINEER);

  private final Map<String, FakeSite> sites = new TreeMap<>();
  private FleetRunner runner;

  FleetTest(TestDatabase database) {
    super(database);
  }

  @BeforeEach
  void enrolSites() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      store.sites().enrol(name, "ledger-" + name, "key-" + name);
      sites.put(name, new FakeSite(name));
    }
    runner = new FleetRunner(store, clock, said::add);
    sites.values().forEach(FakeSite::poll);
  }

  /** A site: what it does with orders, and how it says it is. */
  private final class FakeSite {
    final String name;
    final Map<String, Long> has = new TreeMap<>();
    final List<String> done = new ArrayList<>();
    boolean away;
    boolean unwell;
    boolean stands;
    boolean keeps;
    private final List<OrderOutcome> outcomes = new ArrayList<>();
    private Optional<Order> last = Optional.empty();
    private long index = 10;
    private long malformed;

    FakeSite(String name) {
      this.name = name;
    }

    void poll() {
      if (away) {
        return;
      }
      if (unwell && !has.isEmpty()) {
        malformed++;
      }
      try {
        List<Order> orders =
            store
                .orders()
                .poll(
                    name,
                    new OrderPoll(
                        OrderPoll.Wants.ORDERS,
                        ++index,
                        last.map(Order::number).orElse(0L),
                        last.map(Order::id).orElse(OrderPoll.NO_ID),
                        0,
                        List.copyOf(outcomes),
                        Optional.of(condition())));
        outcomes.clear();
        for (Order order : orders) {
          last = Optional.of(order);
          take(order);
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    private void take(Order order) throws Exception {
      JobOrder job = JobOrder.read(order.body());
      done.add(job.toString());
      if (job.action() == JobOrder.Action.REMOVE && keeps) {
        outcomes.add(new OrderOutcome(order.id(), OrderState.FAILED, "3 rows wait", 0));
        return;
      }
      boolean refuses = job.action() == JobOrder.Action.CHECK && job.script().contains("wrong");
      if (job.action() == JobOrder.Action.DEPLOY) {
        has.put(job.job(), job.version());
      } else if (job.action() == JobOrder.Action.REMOVE) {
        has.remove(job.job());
      }
      outcomes.add(
          new OrderOutcome(
              order.id(),
              refuses ? OrderState.REFUSED : OrderState.DONE,
              refuses ? "line 3:7: no table" : "",
              0));
    }

    private SiteCondition condition() {
      return new SiteCondition(
          "d",
          List.of(),
          has.entrySet().stream()
              .map(
                  job ->
                      new SiteCondition.OfJob(
                          job.getKey(),
                          7,
                          "RUNNING",
                          stands ? "it waits" : "",
                          2,
                          stands ? 1 : 2,
                          5,
                          1,
                          0,
                          0,
                          malformed,
                          0,
                          job.getValue()))
              .toList());
    }
  }

  private static Wanted wanted(Action action, String script, String... sites) {
    return new Wanted(
        JOB,
        action,
        script,
        false,
        "chosen",
        List.of(sites),
        List.of("1", "rest"),
        GATE,
        Duration.ofSeconds(60),
        "anna");
  }

  private FleetVersion deploy(String script, String... sites) throws Exception {
    return store.fleet().begin(wanted(Action.DEPLOY, script, sites), ALL);
  }

  private void round() {
    runner.pass();
    sites.values().forEach(FakeSite::poll);
    now = now.plus(ROUND);
  }

  private FleetVersion until(FleetVersion version, State state) throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      FleetVersion found = find(version);
      if (found.state() == state) {
        return found;
      }
      round();
    }
    throw new AssertionError(find(version) + " " + rollouts(version));
  }

  private FleetVersion find(FleetVersion version) throws Exception {
    return store.fleet().find(JOB, version.version()).orElseThrow();
  }

  private Map<String, Rollout.State> rollouts(FleetVersion version) throws Exception {
    Map<String, Rollout.State> states = new TreeMap<>();
    store
        .fleet()
        .rollouts(JOB, version.version())
        .forEach(rollout -> states.put(rollout.site(), rollout.state()));
    return states;
  }

  private Optional<Long> at(String site) {
    return Optional.ofNullable(sites.get(site).has.get(JOB));
  }

  @Test
  void aScriptThatOneSiteCannotRunChangesNothingAnywhere() throws Exception {
    FleetVersion first = until(deploy("good", "a", "b", "c"), State.DONE);
    FleetVersion second = until(deploy("wrong", "a", "b", "c"), State.REFUSED);
    assertThat(second.detail()).contains("a: line 3:7: no table");
    assertThat(List.of(at("a"), at("b"), at("c"))).containsOnly(Optional.of(first.version()));
    assertThat(store.fleet().installed(JOB)).containsOnlyKeys("a", "b", "c");
    assertThat(store.fleet().open()).isEmpty();
  }

  @Test
  void theRestWaitsUntilTheFirstSiteWasWellForTheGatesTime() throws Exception {
    FleetVersion version = deploy("good", "a", "b", "c");
    Instant given = now;
    while (at("b").isEmpty()) {
      round();
      assertThat(now).isBefore(given.plus(Duration.ofMinutes(5)));
    }
    assertThat(now).isAfter(given.plus(GATE));
    assertThat(rollouts(version).get("a")).isEqualTo(Rollout.State.HEALTHY);
    FleetVersion done = until(version, State.DONE);
    assertThat(rollouts(done).values()).containsOnly(Rollout.State.HEALTHY);
    assertThat(store.fleet().installed(JOB)).isEqualTo(Map.of("a", 1L, "b", 1L, "c", 1L));
  }

  /** The same with a center that is killed after each step. */
  @Test
  void aCenterThatIsKilledGoesOnWhereItWas() throws Exception {
    FleetVersion version = deploy("good", "a", "b", "c");
    for (int i = 0; i < ROUNDS && find(version).state() != State.DONE; i++) {
      round();
      if (i % 3 == 0) {
        reopen();
        runner = new FleetRunner(store, clock, said::add);
        sites.values().forEach(FakeSite::poll);
      }
    }
    assertThat(rollouts(until(version, State.DONE)).values()).containsOnly(Rollout.State.HEALTHY);
    assertThat(sites.get("b").done)
        .containsExactly("check fleet version 1", "deploy fleet version 1");
  }

  @Test
  void aVersionThatIsNotWellGoesBackToTheOneBefore() throws Exception {
    until(deploy("good", "a", "b", "c"), State.DONE);
    sites.get("a").unwell = true;
    FleetVersion back = until(deploy("bad", "a", "b", "c"), State.ROLLED_BACK);
    assertThat(back.detail()).contains("a: malformed readings went from");
    assertThat(List.of(at("a"), at("b"), at("c"))).containsOnly(Optional.of(1L));
    assertThat(sites.get("b").done).doesNotContain("deploy fleet version 2");
    assertThat(store.fleet().installed(JOB)).isEqualTo(Map.of("a", 1L, "b", 1L, "c", 1L));
    assertThat(rollouts(back))
        .isEqualTo(
            Map.of(
                "a",
                Rollout.State.ROLLED_BACK,
                "b",
                Rollout.State.UNTOUCHED,
                "c",
                Rollout.State.UNTOUCHED));
  }

  @Test
  void aFirstVersionThatIsNotWellIsRemoved() throws Exception {
    sites.get("a").stands = true;
    FleetVersion back = until(deploy("bad", "a", "b"), State.ROLLED_BACK);
    assertThat(back.detail()).contains("a: 1 of 2 tasks run: it waits");
    assertThat(at("a")).isEmpty();
    assertThat(store.fleet().installed(JOB)).isEmpty();
  }

  @Test
  void aSiteThatWasAwayGetsTheNewestVersionAlone() throws Exception {
    sites.get("c").away = true;
    now = now.plus(Duration.ofMinutes(10));
    sites.values().forEach(FakeSite::poll);
    until(deploy("one", "a", "b", "c"), State.DONE);
    FleetVersion second = until(deploy("two", "a", "b", "c"), State.DONE);
    assertThat(rollouts(second).get("c")).isEqualTo(Rollout.State.AWAY);
    sites.get("c").away = false;
    for (int i = 0; i < ROUNDS && !store.fleet().open().isEmpty(); i++) {
      round();
    }
    assertThat(rollouts(second).get("c")).isEqualTo(Rollout.State.HEALTHY);
    assertThat(sites.get("c").done)
        .containsExactly("check fleet version 2", "deploy fleet version 2");
  }

  /** What waits for a site is to be done there, also if a later version is for others alone. */
  @Test
  void whoMayActAtOneSiteTakesNothingBackThatWaitsForAnother() throws Exception {
    Permission onlyA = new Permission(AccessTokens.Role.ENGINEER, Optional.of(List.of("a")));
    FleetVersion first = deploy("one", "a", "b");
    while (at("a").isEmpty()) {
      round();
    }
    sites.get("b").away = true;
    until(first, State.DONE);
    until(deploy("two", "a"), State.DONE);
    refusedWith(Reason.NOT_PERMITTED, () -> store.fleet().begin(wanted(Action.REMOVE, ""), onlyA))
        .hasMessageContaining("changes something at b, where you may not");
    refusedWith(
        Reason.NOT_PERMITTED, () -> store.fleet().rollBack(JOB, Optional.empty(), "anna", onlyA));
    refusedWith(
        Reason.NOT_PERMITTED,
        () -> store.fleet().begin(wanted(Action.DEPLOY, "three", "a"), onlyA));
    until(store.fleet().begin(wanted(Action.REMOVE, ""), ALL), State.REMOVED);
  }

  @Test
  void aSiteThatComesLateAndIsNotWellGoesBackAlone() throws Exception {
    sites.get("c").away = true;
    now = now.plus(Duration.ofMinutes(10));
    sites.values().forEach(FakeSite::poll);
    FleetVersion version = until(deploy("one", "a", "b", "c"), State.DONE);
    sites.get("c").away = false;
    sites.get("c").unwell = true;
    for (int i = 0; i < ROUNDS && !store.fleet().open().isEmpty(); i++) {
      round();
    }
    assertThat(rollouts(version).get("c")).isEqualTo(Rollout.State.ROLLED_BACK);
    assertThat(find(version).state()).isEqualTo(State.DONE);
    assertThat(store.fleet().installed(JOB)).containsOnlyKeys("a", "b");
    assertThat(at("c")).isEmpty();
  }

  @Test
  void aSiteThatGoesAwayWithinItsWaveHoldsNobodyUp() throws Exception {
    FleetVersion version = deploy("one", "a", "b", "c");
    while (at("b").isEmpty()) {
      round();
    }
    sites.get("b").away = true;
    until(version, State.DONE);
    assertThat(rollouts(version).get("b")).isEqualTo(Rollout.State.AWAY);
    sites.get("b").away = false;
    for (int i = 0; i < ROUNDS && !store.fleet().open().isEmpty(); i++) {
      round();
    }
    assertThat(rollouts(version).get("b")).isEqualTo(Rollout.State.HEALTHY);
  }

  /** It is given nothing before others were well, and holds up and takes back nobody. */
  @Test
  void aSiteThatCouldNotBeAskedComesAfterTheWaves() throws Exception {
    sites.get("c").away = true;
    now = now.plus(Duration.ofMinutes(10));
    sites.values().forEach(FakeSite::poll);
    FleetVersion version = deploy("one", "a", "b", "c");
    while (at("a").isEmpty()) {
      round();
    }
    sites.get("c").away = false;
    sites.get("c").unwell = true;
    while (at("b").isEmpty()) {
      round();
      assertThat(at("c")).isEmpty();
    }
    until(version, State.DONE);
    for (int i = 0; i < ROUNDS && !store.fleet().open().isEmpty(); i++) {
      round();
    }
    assertThat(rollouts(version))
        .isEqualTo(
            Map.of(
                "a",
                Rollout.State.HEALTHY,
                "b",
                Rollout.State.HEALTHY,
                "c",
                Rollout.State.ROLLED_BACK));
    assertThat(sites.get("c").done).contains("deploy fleet version 1", "remove fleet version 1");
    assertThat(find(version).state()).isEqualTo(State.DONE);
  }

  @Test
  void noVersionBeginsBeforeASiteHasSaidThatItCanRunIt() throws Exception {
    sites.get("a").away = true;
    now = now.plus(Duration.ofMinutes(10));
    FleetVersion version = deploy("one", "a");
    for (int i = 0; i < ROUNDS; i++) {
      round();
    }
    assertThat(find(version).state()).isEqualTo(State.CHECKING);
    sites.get("a").away = false;
    until(version, State.DONE);
    assertThat(at("a")).contains(1L);
  }

  /** What is refused takes nothing away from a site that was to get the version before. */
  @Test
  void aVersionThatIsRefusedOvertakesNone() throws Exception {
    sites.get("c").away = true;
    now = now.plus(Duration.ofMinutes(10));
    sites.values().forEach(FakeSite::poll);
    FleetVersion first = until(deploy("one", "a", "c"), State.DONE);
    until(deploy("wrong", "a", "c"), State.REFUSED);
    sites.get("c").away = false;
    for (int i = 0; i < ROUNDS && !store.fleet().open().isEmpty(); i++) {
      round();
    }
    assertThat(rollouts(first).get("c")).isEqualTo(Rollout.State.HEALTHY);
    assertThat(at("c")).contains(1L);
  }

  /** It is tried on, but does not keep others from giving the job anew. */
  @Test
  void aRemovalThatASiteCannotDoIsNotWaitedForForEver() throws Exception {
    until(deploy("one", "a", "b"), State.DONE);
    sites.get("b").keeps = true;
    FleetVersion removal =
        until(store.fleet().begin(wanted(Action.REMOVE, ""), ALL), State.REMOVED);
    assertThat(removal.detail()).isEqualTo("not yet at b: 3 rows wait");
    assertThat(at("a")).isEmpty();
    sites.get("b").keeps = false;
    for (int i = 0; i < ROUNDS && !store.fleet().open().isEmpty(); i++) {
      round();
    }
    assertThat(at("b")).isEmpty();
    assertThat(rollouts(removal).get("b")).isEqualTo(Rollout.State.REMOVED);
  }

  /** A site has its time from when the center runs. */
  @Test
  void aSiteIsNotBlamedForTheTimeInWhichTheCenterWasDown() throws Exception {
    FleetVersion version = deploy("one", "a");
    sites.get("a").stands = true;
    while (rollouts(version).get("a") != Rollout.State.GATED) {
      round();
    }
    round();
    now = now.plus(Duration.ofMinutes(30));
    runner = new FleetRunner(store, clock, said::add);
    sites.values().forEach(FakeSite::poll);
    round();
    sites.get("a").stands = false;
    until(version, State.DONE);
    assertThat(rollouts(version).get("a")).isEqualTo(Rollout.State.HEALTHY);
  }

  /** Nobody knows whether a version is well that runs nowhere. */
  @Test
  void theRestWaitsWhileTheFirstSiteIsAway() throws Exception {
    FleetVersion version = deploy("one", "a", "b", "c");
    while (at("a").isEmpty()) {
      round();
    }
    sites.get("a").away = true;
    for (int i = 0; i < ROUNDS; i++) {
      round();
    }
    assertThat(rollouts(version))
        .isEqualTo(
            Map.of(
                "a", Rollout.State.AWAY, "b", Rollout.State.CHECKED, "c", Rollout.State.CHECKED));
    sites.get("a").away = false;
    until(version, State.DONE);
    assertThat(at("c")).contains(1L);
  }

  /** The site has what the center gave after its backup. */
  @Test
  void aCenterThatWasPutBackGivesNoNumberTwice() throws Exception {
    sites.get("a").has.put(JOB, 7L);
    sites.values().forEach(FakeSite::poll);
    FleetVersion version = deploy("good", "a", "b");
    assertThat(version.version()).isEqualTo(8);
    until(version, State.DONE);
    assertThat(List.of(at("a"), at("b"))).containsOnly(Optional.of(8L));
  }

  @Test
  void oneVersionOfAJobIsUnderWayAtATime() throws Exception {
    FleetVersion first = deploy("one", "a");
    refusedWith(Reason.UNDER_WAY, () -> deploy("two", "b"))
        .hasMessageContaining("version 1 of job fleet is under way");
    until(first, State.DONE);
    assertThat(deploy("two", "b").version()).isEqualTo(2);
  }

  @Test
  void aPersonMayTakeAVersionBackAndRemoveTheJob() throws Exception {
    until(deploy("one", "a", "b"), State.DONE);
    FleetVersion second = until(deploy("two", "a", "b"), State.DONE);
    store.fleet().rollBack(JOB, Optional.empty(), "anna", ALL);
    assertThat(until(second, State.ROLLED_BACK).detail()).isEqualTo("by anna");
    assertThat(List.of(at("a"), at("b"))).containsOnly(Optional.of(1L));
    refusedWith(Reason.UNDER_WAY, () -> store.fleet().rollBack(JOB, Optional.empty(), "anna", ALL))
        .hasMessageContaining("nothing to roll back");
    FleetVersion removal = store.fleet().begin(wanted(Action.REMOVE, ""), ALL);
    until(removal, State.REMOVED);
    assertThat(List.of(at("a"), at("b"))).containsOnly(Optional.empty());
    assertThat(store.fleet().installed(JOB)).isEmpty();
  }

  @Test
  void aCheckAloneChangesNothing() throws Exception {
    FleetVersion check = store.fleet().begin(wanted(Action.CHECK, "one", "a", "b"), ALL);
    until(check, State.CHECKED);
    assertThat(rollouts(check).values()).containsOnly(Rollout.State.CHECKED);
    for (int i = 0; i < 10; i++) {
      round();
    }
    assertThat(at("a")).isEmpty();
    assertThat(store.fleet().jobs()).isEmpty();
  }

  /** The healthy job stays: only the check ends. */
  @Test
  void aCheckThatIsUnderWayIsTakenBackAlone() throws Exception {
    FleetVersion first = until(deploy("one", "a", "b"), State.DONE);
    sites.get("b").away = true;
    FleetVersion check = store.fleet().begin(wanted(Action.CHECK, "two", "a", "b"), ALL);
    round();
    refusedWith(Reason.UNDER_WAY, () -> deploy("two", "a"))
        .hasMessageContaining("rollback fleet --version 2");
    refusedWith(Reason.UNDER_WAY, () -> store.fleet().rollBack(JOB, Optional.of(1L), "anna", ALL))
        .hasMessageContaining("version 2 would be rolled back, not 1");
    store.fleet().rollBack(JOB, Optional.of(2L), "anna", ALL);
    until(check, State.ROLLED_BACK);
    assertThat(rollouts(check).values()).containsOnly(Rollout.State.UNTOUCHED);
    assertThat(find(first).state()).isEqualTo(State.DONE);
    assertThat(sites.get("a").done).doesNotContain("remove fleet version 1");
    assertThat(store.fleet().installed(JOB)).isEqualTo(Map.of("a", 1L, "b", 1L));
  }

  @Test
  void theVersionBeforeARefusedOneIsTakenBack() throws Exception {
    FleetVersion first = until(deploy("one", "a"), State.DONE);
    until(deploy("wrong", "a"), State.REFUSED);
    assertThat(store.fleet().rollBack(JOB, Optional.empty(), "anna", ALL).version())
        .isEqualTo(first.version());
    until(first, State.ROLLED_BACK);
    assertThat(at("a")).isEmpty();
  }

  /** While versions differ between sites, the center merges the script that is being given. */
  @Test
  void aMergedJobIsMergedFromWhenItIsGivenUntilItIsRemoved() throws Exception {
    Wanted merged =
        new Wanted(
            JOB, Action.DEPLOY, "one", true, "", List.of("a"), List.of("rest"), GATE, GATE, "anna");
    FleetVersion version = store.fleet().begin(merged, ALL);
    assertThat(store.merges().jobs()).isEmpty();
    until(version, State.DONE);
    assertThat(store.merges().jobs()).containsExactly(new Merges.MergedJob(JOB, "one"));
    until(store.fleet().begin(wanted(Action.REMOVE, ""), ALL), State.REMOVED);
    assertThat(store.merges().jobs()).isEmpty();
  }
}
