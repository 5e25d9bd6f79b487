package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.TableDescriptor;
import io.sedge.division.Fragments;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table that is divided by device, with a task for each of two devices. */
class LedgerProducersTest {
  private static final TaskId OF_A = new TaskId("plant", "readings/a");
  private static final TaskId OF_B = new TaskId("plant", "readings/b");

  private final SimulatedNetwork network = new SimulatedNetwork(new Random(1), _ -> {});
  private final SimulatedNetwork.Member member = network.new Member();

  @BeforeEach
  void site() {
    List.of("a", "b").forEach(name -> done(new Command.RegisterDevice(name, "", Map.of())));
    done(new Command.SubmitJob("plant", "select 1"));
    done(new Command.AssignTask(OF_A, "a", 0));
    done(new Command.AssignTask(OF_B, "b", 0));
  }

  private void done(Command command) {
    assertThat(network.command(command)).isInstanceOf(Answer.Done.class);
    for (int i = 0; i < 50; i++) {
      member.step();
      member.hear();
    }
  }

  private void loseB() {
    done(new Command.AssignTask(OF_B, "", network.state().task(OF_B).orElseThrow().epoch()));
  }

  /** Of a task that merges; no device suited when it began. */
  private LedgerProducers producers(boolean bounded) {
    TableDescriptor exchange =
        new TableDescriptor(
            "out",
            Schema.builder().add("n", Type.BIGINT).build(),
            Map.of(),
            List.of(),
            List.of(),
            Map.of(Fragments.BY_DEVICE, "readings"),
            "a.sql:1");
    return new LedgerProducers(member, "plant", exchange, bounded, List.of());
  }

  /** It was started with its label only now, or has just joined. */
  @Test
  void aDeviceThatComesLaterIsKnown() {
    LedgerProducers producers = producers(false);
    assertThat(producers.known().shards()).containsExactly("readings/a", "readings/b");
    done(new Command.RegisterDevice("c", "", Map.of()));
    done(new Command.AssignTask(new TaskId("plant", "readings/c"), "c", 0));
    assertThat(producers.known().shards())
        .containsExactly("readings/a", "readings/b", "readings/c");
  }

  /** Names of tables may have a slash. */
  @Test
  void shardsOfATableWhoseNameBeginsAlikeAreNotThisOnes() {
    done(new Command.AssignTask(new TaskId("plant", "readings/more/a"), "a", 0));
    assertThat(producers(false).known().shards()).containsExactly("readings/a", "readings/b");
  }

  /** Else the merging task would end without it, and the job would be FINISHED, not whole. */
  @Test
  void aBoundedJobWaitsForADeviceThatIsGone() {
    LedgerProducers producers = producers(true);
    loseB();
    assertThat(producers.known().shards()).containsExactly("readings/a", "readings/b");
  }

  /** Its sensors may come back next year: the others' windows close without them. */
  @Test
  void aStreamGoesOnWithoutADeviceThatIsGone() {
    LedgerProducers producers = producers(false);
    assertThat(producers.known().away()).isEmpty();
    loseB();
    assertThat(producers.known().shards()).containsExactly("readings/a");
    assertThat(producers.known().away())
        .as("what it has is missing at the end")
        .containsExactly(OF_B.shard());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nobodyWaitsForADeviceThatIsRemoved(boolean bounded) {
    LedgerProducers producers = producers(bounded);
    loseB();
    done(new Command.RemoveDevice("b", ""));
    assertThat(producers.known().shards()).containsExactly(OF_A.shard());
    assertThat(producers.known().away()).isEmpty();
  }

  /** It cannot come back, and an expelled device cannot be removed. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nobodyWaitsForADeviceThatIsExpelled(boolean bounded) {
    LedgerProducers producers = producers(bounded);
    loseB();
    done(new Command.SetDeviceState("b", DeviceState.EXPELLED));
    assertThat(producers.known().shards()).containsExactly(OF_A.shard());
    assertThat(producers.known().away()).isEmpty();
  }
}
