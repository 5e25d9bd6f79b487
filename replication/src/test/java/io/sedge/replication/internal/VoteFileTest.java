package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of a member's votes; DiskTest has a member that goes on with a mended one. */
class VoteFileTest {
  private static final int ENTRY_BYTES = 1_000;
  private static final long NOW = 1_800_000_000_000L;

  @TempDir Path directory;
  private Path votes;

  @BeforeEach
  void makeDirectories() throws IOException {
    votes = Files.createDirectories(directory.resolve("group/current")).resolve("raft-meta");
  }

  private long mended(long nowMillis) throws Exception {
    return VoteFile.mend(directory, ENTRY_BYTES, nowMillis).orElse(-1);
  }

  @Test
  void whatCanBeReadIsLeftAlone() throws Exception {
    assertThat(mended(NOW)).as("none yet").isNegative();
    Files.writeString(votes, "#\n#Sat Nov 21 2026\nterm=7\nvotedFor=\n");
    assertThat(mended(NOW)).isNegative();
    assertThat(Files.readString(votes)).contains("term=7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "#\n", "term=7\n", "term=x\nvotedFor=a\n", "term=7\nvotedFor=\\u1"})
  void whatCannotBeReadIsMadeAnew(String text) throws Exception {
    Files.writeString(votes, text);
    assertThat(mended(NOW)).isEqualTo(NOW);
    assertThat(mended(NOW)).as("it can be read now").isNegative();
    assertThat(Files.readString(votes)).contains("term=" + NOW).contains("votedFor=");
  }

  @Test
  void whatIsNoTextIsMadeAnew() throws Exception {
    Files.write(votes, "term=7\nvotedFor=ä".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(mended(NOW)).isEqualTo(NOW);
  }

  /** It may have voted in the term of the mend before, of which no log tells. */
  @Test
  void eachMendIsAboveTheOneBefore() throws Exception {
    Files.createFile(votes);
    long first = mended(NOW);
    Files.write(votes, new byte[0]);
    assertThat(mended(NOW + 5_000)).isGreaterThan(first + 1_000);
  }

  @Test
  void aClockThatIsSetBackBetweenTwoMendsIsNoReasonToGoBack() throws Exception {
    Files.createFile(votes);
    long first = mended(NOW);
    for (int mend = 1; mend <= 3; mend++) {
      Files.write(votes, new byte[0]);
      assertThat(mended(mend)).isEqualTo(first + mend * VoteFile.SKIPPED);
    }
  }

  @Test
  void aClockThatWasLostIsNoReasonToGoBack() throws Exception {
    Files.createFile(votes);
    Files.createFile(votes.resolveSibling("log_inprogress_0"));
    Path snapshots = Files.createDirectories(directory.resolve("group/sm"));
    Files.createFile(snapshots.resolve("snapshot.12_3456"));
    assertThat(mended(0)).isEqualTo(12 + VoteFile.SKIPPED);
  }
}
