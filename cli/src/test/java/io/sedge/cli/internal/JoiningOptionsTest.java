package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Devices of a StatefulSet have one command: which of them begins the site must never be in doubt.
 */
class JoiningOptionsTest {
  private static final String A = "a:7411";
  private static final String B = "b:7411";
  private static final String C = "c:7411";
  private static final List<String> REMOVED = List.of("no file");

  @TempDir Path directory;

  private final List<String> done = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private final List<Duration> waits = new ArrayList<>();
  private final List<String> answering = new ArrayList<>();
  private final Map<String, FailureCode> failures = new HashMap<>();
  private final Deque<List<String>> later = new ArrayDeque<>();

  @Command
  private static final class Holder {
    @Mixin private final JoiningOptions joining = new JoiningOptions();
  }

  private static JoiningOptions options(String... arguments) {
    Holder holder = new Holder();
    new CommandLine(holder).parseArgs(arguments);
    return holder.joining;
  }

  private void tokens(String... lines) {
    try {
      Files.write(directory.resolve("tokens"), Arrays.asList(lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void remove() {
    try {
      Files.delete(directory.resolve("tokens"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What becomes of a device that lets others in at an address, after all that it tries. */
  private String enter(String own) throws SiteException {
    JoiningOptions.Entrance<String> entrance =
        new JoiningOptions.Entrance<>() {
          @Override
          public String begin() {
            return "begun";
          }

          @Override
          public String join(String through, String token) throws SiteException {
            String attempt = through + " " + token;
            done.add(attempt);
            for (String key : List.of(attempt, through)) {
              if (failures.containsKey(key)) {
                throw new SiteException(failures.get(key), "failed " + attempt);
              }
            }
            return "joined " + attempt;
          }

          @Override
          public void check(String token) throws SiteException {
            if (token.startsWith("slip")) {
              throw new SiteException(FailureCode.USAGE, "that is no token");
            }
          }

          @Override
          public boolean answers(String address) {
            return answering.contains(address);
          }
        };
    return options("--join", A + "," + B + "," + C, "--token-file", "tokens")
        .enter(
            own,
            new CommandRunner(directory).surroundings(),
            entrance,
            time -> {
              waits.add(time);
              assertThat(later).as("waits for ever; it said " + said).isNotEmpty();
              List<String> next = later.pop();
              if (next.equals(REMOVED)) {
                remove();
              } else {
                tokens(next.toArray(String[]::new));
              }
            },
            said::add);
  }

  @Test
  void theFirstBeginsASiteWhereThereIsNoFileOfTokens() throws Exception {
    assertThat(enter(A)).isEqualTo("begun");
  }

  /** A Secret whose value got lost, as by a command that failed, is mounted as an empty file. */
  @Test
  void anEmptyFileIsWaitedForByTheFirstToo() throws Exception {
    tokens("", " ");
    later.addAll(List.of(List.of(), List.of("one")));
    assertThat(enter(A)).isEqualTo("joined b:7411 one");
    assertThat(said).singleElement().asString().contains("the file is there, if empty");
  }

  /** Who has seen tokens knows of a site, even if somebody removes the file. */
  @Test
  void theFirstBeginsNoSiteAfterItHasSeenTokens() throws Exception {
    tokens("one");
    failures.put("b:7411 one", FailureCode.JOIN_REFUSED);
    failures.put("c:7411 one", FailureCode.JOIN_REFUSED);
    later.addAll(List.of(REMOVED, List.of("two")));
    assertThat(enter(A)).isEqualTo("joined b:7411 two");
    assertThat(said).last().asString().contains("something has stood there, so there is a site");
  }

  /** Somebody has removed the Secret, and the first has lost its disk. */
  @Test
  void theFirstBeginsNoSiteWhereAnotherLetsDevicesIn() throws Exception {
    answering.add(C);
    later.addAll(List.of(List.of(), REMOVED, List.of("one")));
    assertThat(enter(A)).isEqualTo("joined b:7411 one");
    assertThat(said).first().asString().contains("c:7411 answers, so there is a site");
  }

  @Test
  void whoWasAnsweredOnceBeginsNoSiteWhenItIsSilentLater() throws Exception {
    answering.add(C);
    later.addAll(List.of(List.of("slip"), REMOVED, List.of("one")));
    assertThat(enter(A)).isEqualTo("joined b:7411 one");
  }

  @Test
  void anAddressAnswersIfSomebodyListensThere() throws Exception {
    JoiningOptions.Entrance<String> entrance =
        new JoiningOptions.Entrance<>() {
          @Override
          public String begin() {
            return "begun";
          }

          @Override
          public String join(String through, String token) {
            return "joined";
          }

          @Override
          public void check(String token) {}
        };
    int port;
    try (ServerSocket there = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = there.getLocalPort();
      assertThat(entrance.answers("127.0.0.1:" + port)).isTrue();
    }
    assertThat(entrance.answers("127.0.0.1:" + port)).isFalse();
    assertThat(entrance.answers("no-such-name.invalid:7411")).isFalse();
  }

  @Test
  void whoseAddressIsNotNamedBeginsNoSiteAndSaysSo() throws Exception {
    later.add(List.of("one"));
    assertThat(enter("d:7411")).isEqualTo("joined a:7411 one");
    assertThat(said)
        .singleElement()
        .asString()
        .contains("this device lets others in at d:7411, which is not one of --join");
  }

  @Test
  void aLineThatIsNoTokenIsToldWithoutItsTextAndTheNextOneIsTried() throws Exception {
    tokens("slip-of-a-secret", "one");
    assertThat(enter(B)).isEqualTo("joined a:7411 one");
    assertThat(said).containsExactly("tokens: token 1 is left out: that is no token");
  }

  @Test
  void aFileWithoutAnyTokenIsWaitedForAndToldOnce() throws Exception {
    tokens("slip");
    later.addAll(List.of(List.of("slip"), List.of("slip", "one")));
    assertThat(enter(A)).isEqualTo("joined b:7411 one");
    assertThat(said).hasSize(2);
  }

  @Test
  void theOthersWaitForATokenAndSayItOnce() throws Exception {
    later.addAll(List.of(List.of(), List.of(), List.of("one")));
    assertThat(enter(B)).isEqualTo("joined a:7411 one");
    assertThat(said)
        .singleElement()
        .asString()
        .contains("waiting for a token in tokens", "sedge device token --count 1");
    assertThat(waits).containsOnly(Duration.ofSeconds(1));
  }

  /** A second site of the same name would take the readings of half of the devices. */
  @Test
  void theFirstBeginsNoSecondSiteAfterItHasLostItsDisk() throws Exception {
    tokens("one");
    assertThat(enter(A)).isEqualTo("joined b:7411 one");
    failures.put(B, FailureCode.CONNECTION_FAILED);
    failures.put(C, FailureCode.CONNECTION_FAILED);
    later.add(List.of("one"));
    assertThatThrownBy(() -> enter(A)).isInstanceOf(AssertionError.class);
  }

  @Test
  void aTokenThatAnotherHasUsedIsFollowedByTheNextAndAnAddressThatIsSilentToo() throws Exception {
    tokens("one", "two");
    failures.put(A, FailureCode.CONNECTION_FAILED);
    failures.put("b:7411 one", FailureCode.JOIN_REFUSED);
    assertThat(enter(C)).isEqualTo("joined b:7411 two");
    assertThat(done).containsExactly("a:7411 one", "b:7411 one", "b:7411 two");
  }

  @Test
  void refusedByAllItTriesMoreAndMoreSeldomAndTakesTokensThatCome() throws Exception {
    tokens("one");
    failures.put("a:7411 one", FailureCode.JOIN_REFUSED);
    failures.put("b:7411 one", FailureCode.JOIN_REFUSED);
    later.addAll(List.of(List.of("one"), List.of("one"), List.of("one"), List.of("one")));
    later.addAll(List.of(List.of("one"), List.of("one"), List.of("two")));
    assertThat(enter(C)).isEqualTo("joined a:7411 two");
    assertThat(waits.stream().map(Duration::toSeconds))
        .containsExactly(2L, 4L, 8L, 16L, 30L, 30L, 30L);
    assertThat(said)
        .containsExactly("failed b:7411 one; trying again, also with other tokens in tokens");
  }

  @Test
  void whatNoOtherAttemptWouldChangeEndsIt() {
    tokens("one");
    failures.put(A, FailureCode.SHUT_OUT);
    assertThatThrownBy(() -> enter(B)).hasMessage("failed a:7411 one");
  }

  @Test
  void oneOptionWithoutTheOtherIsRefused() throws Exception {
    assertThat(options().isAsked(false)).isFalse();
    assertThatThrownBy(() -> options("--join", A).isAsked(true))
        .hasMessageContaining("--join and --token-file belong together");
    assertThatThrownBy(() -> options("--token-file", "tokens").isAsked(true))
        .hasMessageContaining("--join and --token-file belong together");
    assertThatThrownBy(() -> options("--join", A, "--token-file", "tokens").isAsked(false))
        .hasMessageContaining("--join needs --listen HOST:PORT");
    assertThatThrownBy(() -> options("--join", "a", "--token-file", "tokens").isAsked(true))
        .hasMessageContaining("--join=a: write HOST:PORT");
    assertThat(options("--join", A, "--token-file", "tokens").isAsked(true)).isTrue();
  }
}
