package io.sedge.center;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.center.api.CommandReport;
import io.sedge.center.api.Requests;
import io.sedge.center.api.SiteLogReport;
import io.sedge.center.store.StoreOptions;
import io.sedge.uplink.Order;
import io.sedge.uplink.OrderAnswer;
import io.sedge.uplink.OrderOutcome;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.OrderState;
import io.sedge.uplink.Question;
import io.sedge.uplink.QuestionAnswer;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.SiteLog;
import io.sedge.uplink.TableCommand;
import io.sedge.uplink.UplinkClient;
import io.sedge.uplink.UplinkException;
import io.sedge.uplink.UplinkException.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites wait for orders of a center, over TLS, which people give by its API. */
final class OrdersOverTheWireTest {
  private static final Requests.ForCommand COMMAND =
      new Requests.ForCommand("press", "valve", Map.of("position", "40"), null);

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init") // Before each test.
  private Center center;

  @SuppressWarnings("NullAway.Init") // Before each test.
  private CenterClient people;

  @BeforeEach
  void start() throws CenterException {
    center =
        Center.start(
            new CenterOptions(
                directory,
                StoreOptions.embedded(directory.resolve("results")),
                "127.0.0.1",
                0,
                0,
                List.of(),
                Duration.ofDays(90),
                Optional.empty(),
                "test"),
            Optional.empty(),
            (job, _) -> {
              throw new AssertionError(job);
            },
            InstantSource.system(),
            _ -> {});
    people = CenterClient.local(directory);
  }

  @AfterEach
  void stop() {
    people.close();
    center.close();
  }

  private UplinkClient enrol(String name) throws Exception {
    return UplinkClient.of(credential(name));
  }

  private SiteCredential credential(String name) throws Exception {
    return TestEnrolment.of(center, name);
  }

  private static OrderPoll poll(long index, Optional<Order> last) {
    return new OrderPoll(
        OrderPoll.Wants.ORDERS_AND_QUESTIONS,
        index,
        last.map(Order::number).orElse(0L),
        last.map(Order::id).orElse(OrderPoll.NO_ID),
        (int) OrderPoll.MAX_WAIT.toMillis(),
        List.of(),
        Optional.empty());
  }

  private static CompletableFuture<OrderAnswer> asking(UplinkClient site, OrderPoll poll) {
    CompletableFuture<OrderAnswer> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                answer.complete(site.ask(poll));
              } catch (UplinkException | InterruptedException e) {
                answer.completeExceptionally(e);
              }
            });
    return answer;
  }

  @Test
  void aSiteThatWaitsGetsACommandAndSaysWhatBecameOfIt() throws Exception {
    try (UplinkClient site = enrol("north");
        UplinkClient other = enrol("south")) {
      CompletableFuture<OrderAnswer> waiting = asking(site, poll(1, Optional.empty()));
      CommandReport given = people.command("north", COMMAND);
      assertThat(given.state()).isIn("queued", "sent");
      assertThat(given.expiresAtMillis()).isEqualTo(given.givenAtMillis() + 30_000);
      Order order = waiting.get(20, TimeUnit.SECONDS).orders().getFirst();
      assertThat(TableCommand.read(order.body()))
          .isEqualTo(new TableCommand("press", "valve", Map.of("position", "40")));
      assertThat(order.lifeMillis()).isBetween(1L, 30_000L);
      assertThat(people.command("north", given.id()).state()).isEqualTo("sent");
      OrderOutcome refused = new OrderOutcome(order.id(), OrderState.REFUSED, "not allowed", 1);
      // Another site has no word in it.
      assertThat(other.ask(OrderPoll.telling(List.of(refused))).orders()).isEmpty();
      assertThat(people.command("north", given.id()).state()).isEqualTo("sent");
      assertThat(site.ask(OrderPoll.telling(List.of(refused))).orders()).isEmpty();
      CommandReport ended = people.command("north", given.id());
      assertThat(ended.state()).isEqualTo("refused");
      assertThat(ended.detail()).isEqualTo("not allowed");
      assertThat(ended.ended()).isTrue();
      assertThat(people.commands("north", 9)).containsExactly(ended);
      assertThat(people.audit(9))
          .anySatisfy(
              entry -> {
                assertThat(entry.what()).isEqualTo("command");
                assertThat(entry.subject()).isEqualTo("north");
                assertThat(entry.detail()).isEqualTo(given.id() + ": press.valve position=40");
              });
    }
  }

  /** Takes the site's next questions, and answers each. */
  private static List<Question> answering(
      UplinkClient site, Function<Question, QuestionAnswer> answer) throws Exception {
    List<Question> asked = List.of();
    while (asked.isEmpty()) {
      asked = site.ask(poll(1, Optional.empty())).questions();
    }
    for (Question question : asked) {
      site.answer(question.id(), answer.apply(question));
    }
    return asked;
  }

  private <T> CompletableFuture<T> inBackground(Callable<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                answer.complete(question.call());
              } catch (Exception e) {
                answer.completeExceptionally(e);
              }
            });
    return answer;
  }

  @Test
  void aSiteAnswersWhatItsDevicesHaveSaidAndWhatIsWrongWithOne() throws Exception {
    try (UplinkClient site = enrol("north")) {
      var _ = site.ask(OrderPoll.telling(List.of()));
      CompletableFuture<SiteLogReport> log = inBackground(() -> people.siteLog("north", "a", ""));
      SiteLog said =
          new SiteLog(
              List.of(new SiteLog.Line("a", 7, "WARNING", "plant/pump-1", "too hot")),
              Map.of("b", "it is down"));
      Question asked = answering(site, _ -> QuestionAnswer.of(said.bytes())).getFirst();
      assertThat(asked.kind()).isEqualTo(Question.LOG);
      assertThat(asked.device()).isEqualTo("a");
      assertThat(asked.askedBy()).startsWith("local");
      assertThat(log.get(20, TimeUnit.SECONDS))
          .isEqualTo(
              new SiteLogReport(
                  List.of(new SiteLogReport.Line("a", 7, "warning", "plant/pump-1", "too hot")),
                  Map.of("b", "it is down")));
      byte[] zip = {'P', 'K', 3, 4};
      Path file = directory.resolve("b.zip");
      CompletableFuture<Integer> bundle = inBackground(() -> people.bundle("north", "b", file));
      assertThat(answering(site, _ -> QuestionAnswer.of(zip)).getFirst().device()).isEqualTo("b");
      assertThat(bundle.get(20, TimeUnit.SECONDS)).isEqualTo(zip.length);
      assertThat(file).hasBinaryContent(zip);
      assertThat(people.audit(9))
          .extracting(entry -> entry.what() + " " + entry.subject() + " " + entry.detail())
          .contains("site log north a", "site bundle north b");
    }
  }

  @Test
  void whyThereIsNoAnswerIsSaid() throws Exception {
    try (UplinkClient site = enrol("north");
        UplinkClient other = enrol("south")) {
      assertThatThrownBy(() -> people.siteLog("nobody", "", ""))
          .hasMessageContaining("no site is called 'nobody'");
      var _ = site.ask(OrderPoll.telling(List.of()));
      CompletableFuture<SiteLogReport> refused =
          inBackground(() -> people.siteLog("north", "", ""));
      List<Question> questions = List.of();
      while (questions.isEmpty()) {
        questions = site.ask(poll(1, Optional.empty())).questions();
      }
      UUID id = questions.getFirst().id();
      // Another site has no word in it, and what nobody asked is passed over.
      other.answer(id, QuestionAnswer.refused("south says no"));
      site.answer(UUID.randomUUID(), QuestionAnswer.refused("to nobody"));
      site.answer(id, QuestionAnswer.refused("not allowed here"));
      assertThatThrownBy(() -> refused.get(20, TimeUnit.SECONDS))
          .hasMessageContaining("site north says: not allowed here");
      CompletableFuture<SiteLogReport> nonsense =
          inBackground(() -> people.siteLog("north", "", ""));
      var _ = answering(site, _ -> QuestionAnswer.of(new byte[] {9, 9}));
      assertThatThrownBy(() -> nonsense.get(20, TimeUnit.SECONDS))
          .hasMessageContaining("has sent an answer that cannot be read");
    }
  }

  /** A version before wants orders alone, and would not understand an answer with questions. */
  @Test
  void aSiteThatWantsNoQuestionsGetsNoneAndThatIsSaidAtOnce() throws Exception {
    try (UplinkClient site = enrol("north")) {
      OrderPoll before =
          new OrderPoll(
              OrderPoll.Wants.ORDERS, 1, 0, OrderPoll.NO_ID, 0, List.of(), Optional.empty());
      assertThat(site.ask(before).questions()).isEmpty();
      assertThatThrownBy(() -> people.siteLog("north", "", ""))
          .hasMessageContaining("answers no questions: upgrade its devices");
      OrderPoll upgraded =
          new OrderPoll(
              OrderPoll.Wants.ORDERS_AND_QUESTIONS,
              1,
              0,
              OrderPoll.NO_ID,
              0,
              List.of(),
              Optional.empty());
      assertThat(site.ask(upgraded).questions()).isEmpty();
      CompletableFuture<SiteLogReport> log = inBackground(() -> people.siteLog("north", "", ""));
      var _ = answering(site, _ -> QuestionAnswer.refused("at last"));
      assertThatThrownBy(() -> log.get(20, TimeUnit.SECONDS)).hasMessageContaining("at last");
    }
  }

  /** A client that has given up may still have a request there. */
  @Test
  void aRequestThatComesAnewEndsTheOneBefore() throws Exception {
    try (UplinkClient site = enrol("north")) {
      CompletableFuture<OrderAnswer> first = asking(site, poll(1, Optional.empty()));
      while (!first.isDone()) {
        // Whichever comes first at the center waits; the other ends it.
        CompletableFuture<OrderAnswer> next = asking(site, poll(1, Optional.empty()));
        CompletableFuture.anyOf(first, next).get(20, TimeUnit.SECONDS);
        first = first.isDone() ? first : next;
      }
      assertThat(first.get().orders()).isEmpty();
    }
  }

  @Test
  void aCenterThatIsStoppedKeepsNoSiteWaiting() throws Exception {
    try (UplinkClient site = enrol("north")) {
      CompletableFuture<OrderAnswer> waiting = asking(site, poll(1, Optional.empty()));
      CompletableFuture<OrderAnswer> other = asking(site, poll(1, Optional.empty()));
      CompletableFuture.anyOf(waiting, other).get(20, TimeUnit.SECONDS);
      center.close();
      CompletableFuture.allOf(waiting, other).exceptionally(_ -> null).get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void whoIsShutOutIsAskedNothing() throws Exception {
    try (UplinkClient site = enrol("north")) {
      people.revoke("north");
      assertThatThrownBy(() -> site.ask(poll(1, Optional.empty())))
          .isInstanceOfSatisfying(
              UplinkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.REVOKED));
      assertThatThrownBy(() -> people.command("north", COMMAND))
          .hasMessageContaining("site north is shut out");
    }
  }

  @Test
  void whatIsNoCommandIsRefused() throws Exception {
    try (UplinkClient _ = enrol("north")) {
      assertThatThrownBy(() -> people.command("nobody", COMMAND))
          .hasMessageContaining("no site is called 'nobody'");
      assertThatThrownBy(
              () ->
                  people.command("north", new Requests.ForCommand("press", "valve", Map.of(), 9L)))
          .hasMessageContaining("1 to 256 columns");
      assertThatThrownBy(
              () ->
                  people.command(
                      "north", new Requests.ForCommand("press", "valve", Map.of("a", "1"), 0L)))
          .hasMessageContaining("expiresSeconds=0");
      assertThatThrownBy(() -> people.command("north", UUID.randomUUID().toString()))
          .hasMessageContaining("has no command");
    }
  }

  /** Wherever an answer is cut, the order comes again; wherever an outcome is, it is told again. */
  @Test
  void aConnectionThatIsCutAnywhereLosesNoOrderAndDoublesNone() throws Exception {
    SiteCredential own = credential("north");
    CommandReport given = people.command("north", COMMAND);
    Set<UUID> received = new HashSet<>();
    int cuts = 0;
    long whole = 0;
    try (CuttingRelay relay = new CuttingRelay(center.siteAddress())) {
      relay.toCenter(Long.MAX_VALUE);
      for (long cut = 0; whole == 0; cut += 97) {
        relay.toSite(cut);
        try (UplinkClient site = UplinkClient.of(relay.through(own))) {
          OrderPoll poll = poll(1, Optional.empty());
          site.ask(poll).orders().forEach(order -> received.add(order.id()));
          whole = cut;
        } catch (UplinkException e) {
          assertThat(e.reason()).isIn(Reason.UNREACHABLE, Reason.MALFORMED);
          cuts++;
        }
      }
      assertThat(received).containsExactly(UUID.fromString(given.id()));
      assertThat(cuts).isGreaterThan(9);
      relay.toSite(Long.MAX_VALUE);
      OrderPoll done =
          OrderPoll.telling(
              List.of(new OrderOutcome(UUID.fromString(given.id()), OrderState.DONE, "", 1)));
      boolean told = false;
      for (long cut = 0; !told; cut += 97) {
        relay.toCenter(cut);
        try (UplinkClient site = UplinkClient.of(relay.through(own))) {
          told = site.ask(done).orders().isEmpty();
        } catch (UplinkException e) {
          assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE);
        }
      }
    }
    assertThat(people.command("north", given.id()).state()).isEqualTo("done");
  }

  /** Nothing that a stranger sends costs more memory than it is long, or ends otherwise. */
  @Test
  void messagesThatAreCutOrDamagedAreMalformed() throws Exception {
    byte[] poll =
        new OrderPoll(
                OrderPoll.Wants.ORDERS,
                7,
                3,
                UUID.randomUUID(),
                20,
                List.of(new OrderOutcome(UUID.randomUUID(), OrderState.WRITTEN, "a detail", 1)),
                Optional.of(
                    new SiteCondition(
                        "a",
                        List.of(new SiteCondition.OfDevice("a", "1", "ACTIVE", true, 0, 1, 2)),
                        List.of())))
            .bytes();
    OrderPoll whole = OrderPoll.read(poll);
    assertThat(OrderPoll.read(whole.bytes())).isEqualTo(whole);
    // A site that was upgraded before the center gets its orders all the same.
    byte[] later = poll.clone();
    int condition = later.length - whole.condition().orElseThrow().bytes().length;
    later[condition]++;
    assertThat(OrderPoll.read(later).condition()).isEmpty();
    assertThat(OrderPoll.read(later).outcomes()).isEqualTo(whole.outcomes());
    Random random = new Random(7);
    for (int length = 0; length < poll.length; length++) {
      byte[] cut = Arrays.copyOf(poll, length);
      assertThatThrownBy(() -> OrderPoll.read(cut)).isInstanceOf(UplinkException.class);
    }
    for (int i = 0; i < 5_000; i++) {
      byte[] damaged = poll.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        var _ = OrderPoll.read(damaged);
      } catch (UplinkException e) {
        assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
      }
    }
  }
}
