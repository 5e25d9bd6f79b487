package io.sedge.site.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.exchange.BlockGroups.Group;
import io.sedge.site.internal.exchange.BlockGroups.Kept;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a deliverer makes of the groups of those before it. */
final class BlockGroupsTest {
  private static final Kept KEPT = new Kept(2, List.of(new Group(4, 9), new Group(12, 20)));

  /** A site that knows of nothing. */
  private static final class Nothing implements Ledger {
    private final StateMachine machine = new StateMachine();

    @Override
    public CompletableFuture<Answer> submit(Command command) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Answer> tell(Command command) {
      return new CompletableFuture<>();
    }

    @Override
    public <T> T read(Function<? super SiteState, ? extends T> query) {
      return query.apply(machine.state());
    }

    @Override
    public <T> CompletableFuture<T> readAt(
        long at, Function<? super SiteState, ? extends T> query) {
      return new CompletableFuture<>();
    }
  }

  private static BlockGroups groups(long acknowledged) {
    Ledger ledger = new Nothing();
    return new BlockGroups(
        "results",
        new BlockCursor(ledger, "j", Channel.OUTBOX, _ -> true, () -> {}),
        new GroupLog(ledger, new TaskId("j", "delivery"), 1, 0, Map.of("results", KEPT.encode())),
        1,
        acknowledged,
        Long.MAX_VALUE,
        () -> {});
  }

  // Another table's rows end amid the group: nothing of it would be acknowledged but all.
  @Test
  void aGroupOfWhichRowsAreAcknowledgedIsDelivered() {
    assertThat(groups(0).delivered()).as("as the group before it was kept").isEqualTo(2);
    assertThat(groups(4).delivered()).isEqualTo(4);
    assertThat(groups(6).delivered()).isEqualTo(9);
    assertThat(groups(11).delivered()).isEqualTo(11);
  }

  // Else who delivers next would send the rest of a group, under another key.
  @Test
  void nothingOfAGroupIsAcknowledgedBeforeItsEnd() {
    assertThat(groups(0).settled(4)).isEqualTo(4);
    assertThat(groups(0).settled(5)).isEqualTo(4);
    assertThat(groups(0).settled(9)).isEqualTo(9);
    assertThat(groups(0).until(5)).isEqualTo(9);
    assertThat(groups(0).until(11)).isEqualTo(11);
  }

  @Test
  void whatALaterVersionKeepsIsNotTakenForSomethingElse() {
    byte[] later = KEPT.encode();
    later[0] = 2;
    assertThat(Kept.decode(KEPT.encode())).isEqualTo(KEPT);
    assertThatThrownBy(() -> Kept.decode(later))
        .hasMessage("groups of version 2, this is version 1");
  }
}
