package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.io.UncheckedIOException;
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

  @TempDir Path directory;

  private final List<String> done = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private final List<Duration> waits = new ArrayList<>();
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
        };
    return options("--join", A + "," + B + "," + C, "--token-file", "tokens")
        .enter(
            own,
            new CommandRunner(directory).surroundings(),
            entrance,
            time -> {
              waits.add(time);
              assertThat(later).as("waits for ever; it said " + said).isNotEmpty();
              tokens(later.pop().toArray(String[]::new));
            },
            said::add);
  }

  @Test
  void theFirstBeginsASiteWhereThereIsNoToken() throws Exception {
    assertThat(enter(A)).isEqualTo("begun");
    tokens("", " ");
    assertThat(enter(A)).isEqualTo("begun");
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
    assertThat(options().isAsked()).isFalse();
    assertThatThrownBy(() -> options("--join", A).isAsked())
        .hasMessageContaining("--join and --token-file belong together");
    assertThatThrownBy(() -> options("--token-file", "tokens").isAsked())
        .hasMessageContaining("--join and --token-file belong together");
  }
}
