package io.sedge.identity;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.identity.testkit.FakeEnrolment;
import io.sedge.site.api.LeftOutPage;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a device makes of answers that no device of ours would give. */
@Timeout(60)
class EnrolmentClientTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;
  private DeviceIdentity asking;
  private DeviceIdentity answering;

  @BeforeEach
  void makeIdentities() throws Exception {
    Authority authority =
        Authority.create(directory.resolve("authority"), "site", InstantSource.system().instant());
    asking = identity(authority, "asking");
    answering = identity(authority, "answering");
  }

  private DeviceIdentity identity(Authority authority, String name) throws Exception {
    Path own = directory.resolve(name);
    Instant now = InstantSource.system().instant();
    DeviceIdentity.found(
        own, authority, name, List.of(FakeEnrolment.HOST), now, Duration.ofDays(1));
    return DeviceIdentity.open(own, InstantSource.system());
  }

  private void assertRefuses(String answer, String what, Asking question) throws Exception {
    try (FakeEnrolment fake = FakeEnrolment.start(answering.tls(), FakeEnrolment.json(answer))) {
      ThrowingCallable call = () -> question.ask(fake.address());
      assertThatThrownBy(call)
          .as(answer)
          .isInstanceOf(SiteException.class)
          .hasMessageContaining(fake.address())
          .hasMessageContaining(what);
    }
  }

  private interface Asking {
    void ask(String address) throws Exception;
  }

  @Test
  void anAnswerThatLacksAPartIsRefused() throws Exception {
    assertRefuses(
        "{\"type\":\"authority\"}",
        "no key",
        address -> EnrolmentClient.takeAuthority(address, asking, PATIENCE));
    assertRefuses(
        "{\"type\":\"renewed\",\"certificate\":null}",
        "no certificate",
        address -> EnrolmentClient.renew(address, asking, FakeEnrolment.HOST));
    assertRefuses(
        "{\"type\":\"token\",\"address\":\"x:1\"}",
        "no text",
        address -> EnrolmentClient.token(address, asking, PATIENCE));
    Asking forLog =
        address -> EnrolmentClient.log(address, asking, new LogQuery("", "", 1_000), PATIENCE);
    assertRefuses("{\"type\":\"log\"}", "no page", forLog);
    assertRefuses("{\"type\":\"log\",\"page\":{\"lines\":[]}}", "no mark", forLog);
    String line = "{\"severity\":\"INFO\",\"task\":\"\",\"message\":\"x\"}";
    assertRefuses(log(line.replace("INFO", "SEVERE")), "another version of Sedge?", forLog);
    assertRefuses(log(line.replace("\"task\"", "\"other\"")), "no task", forLog);
    assertRefuses(
        log(line + ("," + line).repeat(SiteControl.MAX_LOG_LINES)),
        "1,001 lines, allowed are 1,000",
        forLog);
    Asking forLeftOut = address -> EnrolmentClient.leftOut(address, asking, "plant", PATIENCE);
    assertRefuses("{\"type\":\"leftOut\"}", "no page", forLeftOut);
    assertRefuses("{\"type\":\"leftOut\",\"page\":{}}", "no reasons", forLeftOut);
    String out =
        "{\"table\":\"t\",\"what\":\"ROW\",\"kind\":\"k\",\"reason\":\"r\",\"sample\":\"s\",\"count\":1}";
    assertRefuses(leftOut(out.replace("ROW", "ODOUR")), "another version of Sedge?", forLeftOut);
    assertRefuses(leftOut(out.replace("\"kind\"", "\"other\"")), "no kind", forLeftOut);
    assertRefuses(
        leftOut(out + ("," + out).repeat(LeftOutPage.MAX_REASONS)),
        "101 reasons, allowed are 100",
        forLeftOut);
    for (String refusal :
        List.of("{\"type\":\"refused\",\"message\":\"no\"}", "{\"type\":\"refused\"}")) {
      assertRefuses(
          refusal, "no code", address -> EnrolmentClient.takeAuthority(address, asking, PATIENCE));
    }
  }

  private static String log(String lines) {
    return "{\"type\":\"log\",\"page\":{\"lines\":[%s],\"mark\":\"\"}}".formatted(lines);
  }

  private static String leftOut(String reasons) {
    return "{\"type\":\"leftOut\",\"page\":{\"reasons\":[%s],\"others\":0}}".formatted(reasons);
  }

  /** A limit for each read alone would never come to its end. */
  @Test
  void anAnswerThatComesByteByByteIsNotWaitedForWithoutEnd() throws Exception {
    try (FakeEnrolment fake = FakeEnrolment.start(answering.tls(), FakeEnrolment.trickle())) {
      assertThatThrownBy(
              () -> EnrolmentClient.takeAuthority(fake.address(), asking, Duration.ofSeconds(1)))
          .isInstanceOf(SiteException.class)
          .hasMessageContaining("has not answered within");
    }
  }
}
