package io.sedge.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.JobState;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Rows;
import io.sedge.ledger.TaskId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodecTest {
  private static final int TRIALS = 20_000;

  private static Random random() {
    long seed = System.nanoTime();
    System.err.println("seed " + seed);
    return new Random(seed);
  }

  /** Members of different age read each other's logs and snapshots: these bytes may not change. */
  @Test
  void theBytesOfVersionOneStayWhatTheyAre() {
    Envelope envelope =
        new Envelope(
            1,
            2,
            3,
            List.of(
                new Command.Commit(
                    new TaskId("j", "s"),
                    4,
                    5,
                    Map.of("t", new byte[] {6}),
                    List.of(
                        new Change(new byte[] {7}, new byte[] {8}),
                        new Change(new byte[] {9}, null)),
                    List.of(new Rows(Channel.EXCHANGE, "o", 2, new byte[] {10}))),
                new Command.SetDeviceState("d", DeviceState.EXPELLED),
                new Command.SetJobState("j", 1, JobState.FAILED, "x")));
    assertThat(HexFormat.of().formatHex(envelope.encode()))
        .isEqualTo(
            "01"
                + "0000000000000001"
                + "0000000000000002"
                + "0000000000000003"
                + "00000003"
                + "0b"
                + "000000016a"
                + "0000000173"
                + "0000000000000004"
                + "0000000000000005"
                + "00000001"
                + "0000000174"
                + "0000000106"
                + "00000002"
                + "01"
                + "0000000107"
                + "0000000108"
                + "00"
                + "0000000109"
                + "00000001"
                + "02"
                + "000000016f"
                + "00000002"
                + "000000010a"
                + "03"
                + "0000000164"
                + "03"
                + "06"
                + "000000016a"
                + "0000000000000001"
                + "05"
                + "0000000178");
    assertThat(Arrays.stream(Refusal.values()).map(Refusal::code)).doesNotHaveDuplicates();
  }

  /** Whoever has a certificate can send anything: a member must get over it. */
  @Test
  void damagedEnvelopesAreRefusedOrReadButNeverFailOtherwise() {
    Random random = random();
    RandomCommands commands = new RandomCommands(random, new SiteMachine());
    int refused = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      byte[] bytes =
          new Envelope(random.nextLong(), 1, trial, List.of(commands.next(), commands.next()))
              .encode();
      byte[] damaged = damage(bytes, random);
      try {
        Envelope.decode(damaged);
      } catch (MalformedException e) {
        assertThat(e).hasMessageMatching("(?s).+");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(TRIALS / 4);
  }

  @Test
  void damagedAnswersAreRefusedOrReadButNeverFailOtherwise() {
    Random random = random();
    byte[] bytes =
        new Answers(
                9,
                List.of(
                    new Answer.Done(1, 2),
                    new Answer.Repeated(3),
                    new Answer.Refused(Refusal.OLD_EPOCH, 4)))
            .encode();
    for (int trial = 0; trial < TRIALS; trial++) {
      byte[] damaged = damage(bytes, random);
      try {
        Answers.decode(damaged);
      } catch (MalformedException e) {
        assertThat(e).hasMessageMatching("(?s).+");
      }
    }
  }

  private static byte[] damage(byte[] bytes, Random random) {
    byte[] damaged =
        switch (random.nextInt(3)) {
          case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
          case 1 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
          default -> bytes.clone();
        };
    for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    return damaged;
  }

  @Test
  void aLengthThatIsNotThereReservesNoMemory() {
    byte[] bytes = new Envelope(1, 1, 1, List.of(new Command.RemoveDevice("name"))).encode();
    Arrays.fill(bytes, 30, 34, (byte) 0x7f);
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> Envelope.decode(bytes))
        .withMessage("an array of 2139062143 bytes where 4 are left");
  }

  @Test
  void anEnvelopeOfALaterVersionIsNamedAsSuch() {
    byte[] bytes = new Envelope(1, 1, 1, List.of(new Command.RemoveDevice("name"))).encode();
    bytes[0] = 9;
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> Envelope.decode(bytes))
        .withMessage("bytes of version 9, this is version 1");
  }

  /** A snapshot is what a member goes on from: no bit of it may be wrong unnoticed. */
  @Test
  void aSnapshotWithAnyByteChangedOrMissingIsRefusedAndChangesNothing() throws Exception {
    Random random = random();
    SiteMachine machine = new SiteMachine();
    RandomCommands commands = new RandomCommands(random, machine);
    for (int step = 1; step <= 300; step++) {
      machine.apply(step, new Envelope(1, 1, step, List.of(commands.next())));
    }
    byte[] snapshot = snapshot(machine);
    SiteMachine other = new SiteMachine();
    byte[] before = snapshot(other);
    for (int trial = 0; trial < 2_000; trial++) {
      byte[] damaged = snapshot.clone();
      if (trial % 10 == 0) {
        damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
      } else {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      byte[] read = damaged;
      assertThatExceptionOfType(Exception.class)
          .isThrownBy(() -> other.readSnapshot(new ByteArrayInputStream(read)))
          .isInstanceOfAny(MalformedException.class, IOException.class);
    }
    assertThat(snapshot(other)).isEqualTo(before);
    other.readSnapshot(new ByteArrayInputStream(snapshot));
    assertThat(snapshot(other)).isEqualTo(snapshot);
  }

  private static byte[] snapshot(SiteMachine machine) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    machine.writeSnapshot(bytes);
    return bytes.toByteArray();
  }
}
