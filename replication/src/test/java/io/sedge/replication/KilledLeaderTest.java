package io.sedge.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Command;
import io.sedge.replication.testkit.Await;
import io.sedge.replication.testkit.Members;
import io.sedge.replication.testkit.RunningMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A leader in a process of its own, and two that wait for minutes where it is only silent. */
class KilledLeaderTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir Path directory;

  @Test
  @Timeout(150)
  void anotherOneLeadsWithoutWaitingUntilItsSilenceTells() throws Exception {
    int port = Members.freePort();
    RunningMember leader = RunningMember.start(directory.resolve("a"), "a", port, "found");
    try (Members members = new Members(directory).withElectionTimeout(PATIENCE)) {
      Await.until("the first leads", leader::leads);
      LedgerMember b = join(members, "b", leader);
      LedgerMember c = join(members, "c", leader);
      Members.done(b, new Command.RegisterDevice("b", "", Map.of()));
      Await.until("the third has that too", () -> c.read(state -> state.device("b").isPresent()));
      Await.until("both know of all", () -> b.members().size() == 3 && c.members().size() == 3);
      long term = c.term();

      leader.kill();

      Await.until("one of the two leads", () -> b.isLeader() || c.isLeader());
      Members.done(c, new Command.RegisterDevice("c", "", Map.of()));
      assertThat(c.term()).as("elections").isEqualTo(term + 1);
    } finally {
      leader.kill();
    }
  }

  private static LedgerMember join(Members members, String name, RunningMember through)
      throws Exception {
    LedgerMember newcomer =
        members.start(name, new Invitation(UUID.fromString(through.site()), true));
    String address = "%s:%d".formatted(Members.HOST, members.options(name).port());
    assertThat(through.ask("add %s %s true".formatted(newcomer.self().id(), address)))
        .isEqualTo("added");
    return newcomer;
  }
}
