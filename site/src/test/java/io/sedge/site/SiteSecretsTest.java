package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.identity.SealingKey;
import io.sedge.site.api.SecretStatus;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Bundles;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import io.sedge.task.testkit.FakeConnector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A secret reaches the tables that name it, on whatever device they are opened, and nobody else.
 */
@Timeout(600)
class SiteSecretsTest {
  private static final String VALUE = "correct horse battery staple";
  private static final String SCRIPT = Devices.copying("${secret:mqtt}");

  @TempDir Path root;
  private final FakeConnector tables = new FakeConnector();
  private final List<String> passwords = new CopyOnWriteArrayList<>();
  private Devices devices;

  @BeforeEach
  void site() {
    tables.available = 3;
    tables.onTable =
        (table, _) -> {
          if (table.name().equals("numbers")) {
            passwords.add(String.valueOf(table.options().get("password")));
          }
        };
    devices = new Devices(root).with(tables);
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private void untilOpenedWith(String value) throws Exception {
    devices.until("a table is opened with " + value, () -> passwords.contains(value));
  }

  private static SecretStatus status(Device device) throws SiteException {
    return device.control().secrets().getFirst();
  }

  /** The bytes of all files below a directory that have a text in them. */
  private static List<Path> holding(Path directory, String text) throws IOException {
    List<Path> holding = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
          holding.add(file);
        }
      }
    }
    return holding;
  }

  /** How often something in the ledger of a is for the key of a device. */
  private long sealedFor(String device) throws Exception {
    byte[] key = SealingKey.open(root.resolve(device).resolve("identity"), device).publicKey();
    String text = new String(key, StandardCharsets.ISO_8859_1);
    long count = 0;
    for (Path file : holding(root.resolve("a/ledger"), text)) {
      String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      count += bytes.split(Pattern.quote(text), -1).length - 1;
    }
    return count;
  }

  @Test
  void itIsInClearInNoFileOfTheSiteNorInWhatTheSiteSays() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    tables.onPoll =
        () ->
            passwords.contains(VALUE)
                ? new ConnectorException(
                    ConnectorException.Kind.EXTERNAL, "the broker refuses " + VALUE)
                : null;
    a.control().setSecret("mqtt", VALUE);
    a.control().submit("plant", SCRIPT);
    untilOpenedWith(VALUE);
    devices.until("the failure is said", () -> devices.said("the broker refuses ***") > 0);
    Bundle.write(root.resolve("a"), root.resolve("bundle.zip"), "test", Instant.EPOCH);
    List<Object> said = new ArrayList<>(devices.reports());
    for (Device device : List.of(a, b)) {
      said.add(device.control().status());
      said.add(device.control().jobs());
      said.add(device.control().explain("plant"));
      said.add(device.control().logs("", 0));
      said.add(device.control().diagnose());
      said.add(device.control().secrets());
    }
    said.add(Bundles.texts(Files.newInputStream(root.resolve("bundle.zip"))).toString());
    assertThat(said).allSatisfy(text -> assertThat(text.toString()).doesNotContain(VALUE));
    assertThat(said.toString()).contains("'password' = '${secret:mqtt}'");
    devices.close(); // What is written when a device ends is searched too.
    assertThat(holding(root, VALUE)).isEmpty();
    assertThat(holding(root, "${secret:mqtt}")).as("the search finds what is there").isNotEmpty();
  }

  @Test
  void aJobThatNamesOneWhichIsNotSetIsRefusedWithTheCommandToSetIt() throws Exception {
    Device a = devices.start("a");
    assertThatThrownBy(() -> a.control().submit("plant", SCRIPT))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("names the secret mqtt, which the site does not have")
        .hasMessageContaining("`sedge secret set mqtt`");
    assertThat(a.control().jobs()).isEmpty();
  }

  @Test
  void tasksTakeAnotherValueWhenTheyAreOpenedNext() throws Exception {
    Device a = devices.start("a");
    assertThat(a.control().setSecret("mqtt", VALUE).jobs()).isEmpty();
    a.control().submit("plant", SCRIPT);
    untilOpenedWith(VALUE);
    assertThat(a.control().setSecret("mqtt", "another one").jobs()).containsExactly("plant");
    a.control().pause("plant");
    devices.until("the pause", () -> a.control().jobs().getFirst().runningTasks() == 0);
    a.control().resume("plant");
    untilOpenedWith("another one");
  }

  @Test
  void oneThatAJobNamesIsNotRemovedUntilTheJobHasEnded() throws Exception {
    Device a = devices.start("a");
    a.control().setSecret("mqtt", VALUE);
    a.control().submit("plant", SCRIPT);
    assertThatThrownBy(() -> a.control().removeSecret("mqtt"))
        .hasMessageContaining("named by jobs that have not ended (plant)");
    a.control().stop("plant");
    a.control().removeSecret("mqtt");
    assertThat(a.control().secrets()).isEmpty();
    assertThat(Devices.failure(() -> a.control().removeSecret("mqtt")))
        .isEqualTo(FailureCode.UNKNOWN_NAME);
  }

  /** A newcomer is given it by whoever has it, though nobody types anything. */
  @Test
  void aDeviceThatJoinsLaterReadsItAlsoWhenTheOneThatSetItIsGone() throws Exception {
    Device a = devices.start("a");
    a.control().setSecret("mqtt", VALUE);
    Device b = devices.join("b", a);
    devices.until("b has it", () -> status(b).missing().isEmpty());
    Device c = devices.join("c", a);
    devices.until("c has it", () -> status(c).missing().isEmpty());
    devices.until("all vote", () -> b.control().status().ledger().voters() == 3);
    devices.close(a);
    b.control().submit("plant", SCRIPT);
    untilOpenedWith(VALUE);
  }

  @Test
  void nothingIsSealedForADeviceThatWasRemovedOrExpelled() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    a.control().setSecret("mqtt", VALUE);
    devices.until("b has it", () -> status(a).missing().isEmpty());
    Device c = devices.join("c", a);
    devices.until("c has it", () -> status(a).missing().isEmpty());
    devices.until("all vote", () -> a.control().status().ledger().voters() == 3);
    a.control().expel("c", false);
    devices.close(c);
    a.control().removeDevice("b", false); // While it is up: of two, both must vote for it.
    devices.close(b);
    long before = sealedFor("b") + sealedFor("c");
    long own = sealedFor("a");
    assertThat(before).as("the search finds what is there").isGreaterThan(1);
    assertThat(a.control().setSecret("mqtt", "set since").missing()).isEmpty();
    assertThat(sealedFor("b") + sealedFor("c")).isEqualTo(before);
    assertThat(sealedFor("a")).isGreaterThan(own);
  }

  @Test
  void aNameOrAValueThatMayNotBeIsRefused() throws Exception {
    Device a = devices.start("a");
    for (Map.Entry<String, String> wrong :
        Map.of("a b", "x", "1", "x", "mqtt", "", "long", "x".repeat(16_385)).entrySet()) {
      assertThat(Devices.failure(() -> a.control().setSecret(wrong.getKey(), wrong.getValue())))
          .isEqualTo(FailureCode.USAGE);
    }
    a.control().setSecret("long", "x".repeat(16_384));
    assertThat(a.control().secrets()).extracting(SecretStatus::name).containsExactly("long");
  }
}
