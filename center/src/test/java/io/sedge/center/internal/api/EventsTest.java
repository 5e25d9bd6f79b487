package io.sedge.center.internal.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.helidon.webserver.CloseConnectionException;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Permission;
import io.sedge.center.store.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Browsers are told what changes, for as long as they may know. */
@Timeout(120)
class EventsTest {
  private static final String PASSWORD = "four words of nobody";

  @TempDir Path directory;
  private TestCenter center;

  @BeforeEach
  void start() throws Exception {
    center = new TestCenter(directory);
    center
        .store()
        .people()
        .add(
            "anna",
            Permission.everywhere(Role.VIEWER),
            center.service().people().passwords().hash(PASSWORD));
  }

  @AfterEach
  void stop() {
    center.close();
    assertThat(center.said()).isEmpty();
  }

  private static BufferedReader reader(HttpResponse<InputStream> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  /** The data of the next event. */
  private static JsonNode next(BufferedReader reader) throws IOException {
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      if (line.equals("event: center")) {
        return new JsonMapper().readTree(reader.readLine().substring("data: ".length()));
      }
    }
    throw new AssertionError("the events have ended");
  }

  @Test
  void whatSitesAndTablesAreLikeIsToldAtOnceAndWhenItChanges() throws Exception {
    try (Browser browser = new Browser(center)) {
      browser.login("anna", PASSWORD);
      BufferedReader events = reader(browser.events());
      JsonNode first = next(events);
      assertThat(first.get("sites")).isEmpty();
      assertThat(first.get("atMillis").longValue()).isPositive();
      TestTable.fill(center.store(), 4);
      JsonNode then = next(events);
      while (then.get("tables").isEmpty()) {
        then = next(events);
      }
      assertThat(then.get("sites").get(0).get("name").textValue()).isEqualTo("north");
      assertThat(then.get("tables").get(0).get("name").textValue()).isEqualTo("machines");
    }
  }

  /**
   * What a site calls itself is neither markup nor an event of its own; it may have such a name
   * since before there were rules.
   */
  @Test
  void aSiteWhoseNameIsMarkupIsANameAndNoMore() throws Exception {
    String name = "<img src=x onerror=alert(1)>\n\nevent: center\ndata: {}\n\nx";
    center.store().sites().enrol("x", "ledger", "key");
    center.execute("UPDATE sedge_site SET name = '%s'".formatted(name));
    try (Browser browser = new Browser(center)) {
      browser.login("anna", PASSWORD);
      HttpResponse<InputStream> answer = browser.events();
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      JsonNode sites = next(reader(answer)).get("sites");
      assertThat(sites).hasSize(1);
      assertThat(sites.get(0).get("name").textValue()).isEqualTo(name);
    }
  }

  @Test
  void eventsEndWithTheLogOutAndWithTheTokenAndWithThePerson() throws Exception {
    String token = center.token(Role.VIEWER);
    try (Browser browser = new Browser(center);
        Browser other = new Browser(center);
        Asking program = new Asking(center)) {
      browser.login("anna", PASSWORD);
      other.login("anna", PASSWORD);
      BufferedReader ofBrowser = reader(browser.events());
      BufferedReader ofOther = reader(other.events());
      BufferedReader ofProgram =
          reader(program.stream(program.request(token, "GET", "/events", BodyPublishers.noBody())));
      assertThat(browser.status("DELETE", "/session", "")).isEqualTo(204);
      assertThat(ofBrowser.lines().filter(line -> line.startsWith("data"))).hasSizeLessThan(3);
      String name =
          center.store().tokens().list().stream()
              .filter(access -> !access.name().equals("local"))
              .findFirst()
              .orElseThrow()
              .name();
      assertThat(center.store().tokens().remove(name)).isTrue();
      assertThat(ofProgram.lines().filter(line -> line.startsWith("data"))).hasSizeLessThan(3);
      assertThat(other.status("GET", "/sites", "")).as("the other session").isEqualTo(200);
      assertThat(center.store().people().remove("anna")).isTrue();
      assertThat(ofOther.lines().filter(line -> line.startsWith("data"))).hasSizeLessThan(3);
    }
  }

  @Test
  void aPageThatOnlyListensIsIdleAndHearsThatTheCenterIsThere() throws Exception {
    try (Browser browser = new Browser(center)) {
      browser.login("anna", PASSWORD);
      BufferedReader events = reader(browser.events());
      var _ = next(events);
      center.advance(Duration.ofSeconds(5));
      List<String> lines = new ArrayList<>();
      while (!lines.contains(":")) {
        lines.add(events.readLine());
      }
      assertThat(lines).allMatch(line -> line.isEmpty() || line.equals(":"));
      center.advance(Duration.ofHours(2));
      assertThat(events.lines()).isNotNull().allMatch(line -> line.isEmpty() || line.equals(":"));
    }
  }

  /** Its place is another's then: a hundred that take nothing would shut all out. */
  @Test
  void aBrowserThatTakesNothingIsLetGo() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    OutputStream stuck =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            writing.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              throw new IOException("closed by an interrupt, as a socket is", e);
            }
          }
        };
    FutureTask<Void> listening =
        new FutureTask<>(
            () -> {
              center.service().events().listen("anna", () -> stuck, () -> true);
              return null;
            });
    Thread.ofVirtual().start(listening);
    writing.await();
    center.advance(Duration.ofSeconds(20));
    assertThatThrownBy(listening::get)
        .cause()
        .isInstanceOf(CloseConnectionException.class)
        .hasMessage("nobody listens any more");
  }

  /** Whoever listened when the database went away is told when it is back. */
  @Test
  void whoMayListenIsNotLetGoWhileTheDatabaseIsAway() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    center
        .service()
        .events()
        .listen(
            "anna",
            OutputStream::nullOutputStream,
            () -> {
              if (asked.incrementAndGet() == 2) {
                throw new StoreException(StoreException.Reason.STORE_UNAVAILABLE, "away");
              }
              return asked.get() < 3;
            });
    assertThat(asked).hasValue(3);
  }

  @Test
  void aHundredMayListenAndTheNextOneIsToldToComeAgain() throws Exception {
    String token = center.token(Role.VIEWER);
    AtomicBoolean permitted = new AtomicBoolean(true);
    CountDownLatch told = new CountDownLatch(CenterEvents.MAX_LISTENERS);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        Asking asking = new Asking(center)) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < CenterEvents.MAX_LISTENERS; i++) {
        OutputStream out = new Telling(told);
        String who = "person " + i / CenterEvents.MAX_OF_ONE;
        all.add(
            executor.submit(
                () -> {
                  center.service().events().listen(who, () -> out, permitted::get);
                  return true;
                }));
      }
      told.await();
      assertThatThrownBy(
              () ->
                  center
                      .service()
                      .events()
                      .listen("person 0", OutputStream::nullOutputStream, permitted::get))
          .as("one may not take all places")
          .hasMessageContaining("'person 0' listens to the center's events 20 times");
      assertThat(asking.get(token, "/events").statusCode()).isEqualTo(429);
      assertThat(asking.get(token, "/sites").statusCode()).as("others").isEqualTo(200);
      permitted.set(false);
      for (Future<Boolean> one : all) {
        assertThat(one.get()).isTrue();
      }
      assertThat(
              asking.stream(asking.request(token, "GET", "/events", BodyPublishers.noBody()))
                  .statusCode())
          .as("there is room again")
          .isEqualTo(200);
    }
  }

  /** Counts down with the first event. */
  private static final class Telling extends OutputStream {
    private final CountDownLatch told;
    private boolean isTold;

    Telling(CountDownLatch told) {
      this.told = told;
    }

    @Override
    public void write(int b) {
      if (b == '{' && !isTold) {
        isTold = true;
        told.countDown();
      }
    }
  }
}
