package io.sedge.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmBatch;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmReport;
import io.sedge.alarm.NoticeMark;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.JobState;
import io.sedge.ledger.JobTroubles;
import io.sedge.ledger.Limit;
import io.sedge.ledger.Limits;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Measures;
import io.sedge.ledger.OrderState;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Remark;
import io.sedge.ledger.Rows;
import io.sedge.ledger.Secret;
import io.sedge.ledger.TaskId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CodecTest {
  private static final int TRIALS = 20_000;

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

  /** What versions before the silence was a limit have left on disks. */
  private static final String OLD_COMMAND =
      """
      01000000000000000100000000000000020000000000000003000000010e00000009000000080000
      000700000064000003e800000000000013880000000000000fa00000000000000bb8
      """;

  private static final String OLD_SNAPSHOT =
      """
      53656467654c646700000001000001700ab0d7de0000000000000002000000090000000800000007
      00000064000003e800000000000013880000000000000fa00000000000000bb80000000100000001
      6400000003683a3101000000003ff00000000000003ff00000000000007fffffffffffffffffffff
      ffffffffffffffffffffffffff000000000000000000000000000000000000000000000000000000
      00000000000000000000000001000000016a00000001730000000000000001010000000000000000
      00000000000000010000000000000000000000000000000000000001000000000000000000000000
      00000001000000016a00000001740000000164000000000000000001000000000000000000000000
      00000000000000000000000000000000000000010000000000000001000000000000000200000000
      00000004010000000000000002000000030100000000000000020000000000000000010000000000
      00000200000000000000010100000000000000020000000000000001000000000000000000000170
      ee127ef0
      """;

  /** What versions before devices said anything of tasks have left on disks. */
  private static final String SILENT_COMMAND =
      """
      01000000000000000100000000000000020000000000000003000000010f00000001643fe0000000
      0000003ff00000000000000000000000000007000000000000000800000000000000090000000100
      00000373756d400000000000000000000001000000036a2f74400800000000000000000001000000
      036a2f744010000000000000
      """;

  private static final String SILENT_SNAPSHOT =
      """
      53656467654c6467000000020000012e552167620000000000000002000000090100000000000000
      40020000000000000040030000000000000800040000000000020000050000000000400000060000
      0000010000000700000000008000000800000000008000000900000000000003e800000001000000
      016400000003683a3101000000003fe00000000000003ff000000000000000000000000000070000
      0000000000080000000000000009000000010000000373756d400000000000000000000001000000
      036a2f74400800000000000000000001000000036a2f744010000000000000000000000000000000
      00000000000000000000000000000000000000000000000000000001000000000000000100000000
      00000002000000000000000301000000000000000200000001010000000000000002000000000000
      000000000000000000000000012e134f1b04
      """;

  /** What versions before devices told how much they write have left on disks. */
  private static final String RATELESS_SNAPSHOT =
      """
      53656467654c646700000005b9d9a696000001646d0d8f2d00000000000000010000000901000000
      00000000400200000000000000400300000000000008000400000000000200000500000000004000
      000600000000010000000700000000008000000800000000008000000900000000000003e8000000
      01000000016400000003683a3101000000003fe00000000000003ff0000000000000000000000000
      000700000000000000080000000000000009000000010000000373756d4000000000000000000000
      000000000000000001000000036a2f74010000000178000000000000000000000000000000000000
      00000000000002000000010000000174000000000000000500000000000000000000000000000000
      00000000000000000000000100000000000000010000000000000002000000000000000101000000
      00000000010000000301000000000000000100000000000000000100000000000000010000000000
      000000010000000000000001000000000000000000000000000000000000016439d62e80
      """;

  /** What versions before tokens were in the ledger have left on disks. */
  private static final String TOKENLESS_SNAPSHOT =
      """
      53656467654c6467000000044bb225950000018585ebbe8100000000000000010000000901000000
      00000000400200000000000000400300000000000008000400000000000200000500000000004000
      000600000000010000000700000000008000000800000000008000000900000000000003e8000000
      01000000016400000003683a310100000001000000047a6f6e65000000056e6f7274683ff0000000
      0000003ff00000000000007fffffffffffffffffffffffffffffffffffffffffffffff0000000000
      00000000000000000000000000000000000000000000000000000000000000000000000000000001
      00000005706c616e740000000853454c454354203100000000000000010100000000000000000000
      00000000000100000000000000010000000000000000000000000000000000000001000000000000
      00010000000000000000000000000000000000000001000000000000000100000000000000010000
      00000000000101000000000000000100000002010000000000000001000000000000000001000000
      00000000010000000000000001000000000000000000000185288d0599
      """;

  private static byte[] bytes(String lines) {
    return HexFormat.of().parseHex(lines.replace("\n", ""));
  }

  @Test
  void limitsThatAnOlderVersionWroteAreReadAndLeaveTheSilence() throws Exception {
    Limits old = new Limits(9, 8, 7, 100, 1_000, 5_000, 4_000, 3_000, 1_000);
    SiteMachine machine = new SiteMachine();
    machine.apply(
        1,
        new Envelope(
            7, 7, 1, List.of(new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, 2_000L)))));
    machine.apply(2, Envelope.decode(bytes(OLD_COMMAND)));
    assertThat(machine.limits()).isEqualTo(old.with(Map.of(Limit.SILENCE_MILLIS, 2_000L)));

    SiteMachine restored = new SiteMachine();
    restored.readSnapshot(new ByteArrayInputStream(bytes(OLD_SNAPSHOT)));
    assertThat(restored.limits()).isEqualTo(old);
    assertThat(restored.appliedIndex()).isEqualTo(2);
    assertThat(restored.task(new TaskId("j", "t")).orElseThrow().device()).isEqualTo("d");
    SiteMachine again = new SiteMachine();
    again.readSnapshot(new ByteArrayInputStream(snapshot(restored)));
    assertThat(snapshot(again)).isEqualTo(snapshot(restored));
    assertThat(again.limits()).isEqualTo(old);
  }

  @Test
  void measuresThatAnOlderVersionWroteAreReadAndHaveNoRemarks() throws Exception {
    Measures measures =
        new Measures(
            0.5,
            1,
            7,
            new ProcessUse(8, 9),
            Map.of("sum", 2.0),
            Map.of("j/t", 3.0),
            Map.of("j/t", 4.0),
            Map.of());
    Envelope envelope = new Envelope(1, 2, 3, List.of(new Command.MeasureDevice("d", measures)));
    assertThat(Envelope.decode(bytes(SILENT_COMMAND)).commands()).isEqualTo(envelope.commands());
    SiteMachine restored = new SiteMachine();
    restored.readSnapshot(new ByteArrayInputStream(bytes(SILENT_SNAPSHOT)));
    assertThat(restored.device("d").orElseThrow().measures()).isEqualTo(measures);
  }

  @Test
  void theBytesOfMeasuresStayWhatTheyAre() throws Exception {
    Measures measures =
        new Measures(
            0,
            0,
            0,
            new ProcessUse(0, 0, 0, 0, 1, 5, 6),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of("j/t", new Remark(Remark.Kind.UNFIT, "x")),
            Map.of("j", new JobTroubles(7, 8)));
    byte[] bytes =
        new Envelope(1, 2, 3, List.of(new Command.MeasureDevice("d", measures))).encode();
    assertThat(HexFormat.of().formatHex(bytes, CommandCodec.HEADER_BYTES, bytes.length))
        .isEqualTo(
            "1c"
                + "0000000164"
                + "0000000000000000".repeat(5)
                + "00000000".repeat(3)
                + "00000001"
                + "000000036a2f74"
                + "01"
                + "0000000178"
                + "0000000000000000".repeat(2)
                + "3ff0000000000000"
                + "0000000000000005"
                + "0000000000000006"
                + "00000001"
                + "000000016a"
                + "0000000000000007"
                + "0000000000000008");
    assertThat(Arrays.stream(Remark.Kind.values()).map(Remark.Kind::code))
        .containsExactly(1, 2, 3, 4);
    bytes[bytes.length - 6 - 3 * Double.BYTES - 2 * Long.BYTES - 4 - 5 - 2 * Long.BYTES] = 9;
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> Envelope.decode(bytes))
        .withMessage("a kind of remark with code 9");
  }

  @Test
  void aRemarkIsCutToWhatTheLedgerTakesAndNoCharacterInTwo() {
    assertThat(Remark.cut(Remark.Kind.STANDS, "short").text()).isEqualTo("short");
    assertThat(Remark.cut(Remark.Kind.STANDS, "x".repeat(300)).text())
        .isEqualTo("x".repeat(199) + "…");
    assertThat(Remark.cut(Remark.Kind.STANDS, "x".repeat(198) + "😀".repeat(9)).text())
        .isEqualTo("x".repeat(198) + "…");
  }

  /** Devices of older versions report too, and read the reports of those that are not stopped. */
  @Test
  void aReportIsAsItWasAndTheLastOneIsAnotherCommand() throws Exception {
    for (boolean last : new boolean[] {false, true}) {
      Command report = new Command.ReportDevice("d", 5, last);
      assertThat(HexFormat.of().formatHex(CommandCodec.encodeCommand(report)))
          .isEqualTo((last ? "13" : "02") + "0000000164" + "0000000000000005");
      assertThat(Envelope.decode(new Envelope(1, 1, 1, List.of(report)).encode()).commands())
          .containsExactly(report);
    }
  }

  @Test
  void theBytesOfLimitsStayWhatTheyAre() throws Exception {
    Command.SetLimits command =
        new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, 2_000L, Limit.DEVICES, 3L));
    byte[] bytes = new Envelope(1, 2, 3, List.of(command)).encode();
    assertThat(HexFormat.of().formatHex(bytes, CommandCodec.HEADER_BYTES, bytes.length))
        .isEqualTo("12" + "00000002" + "01" + "0000000000000003" + "09" + "00000000000007d0");
    assertThat(Envelope.decode(bytes).commands()).containsExactly(command);
    byte[] twice = bytes.clone();
    twice[CommandCodec.HEADER_BYTES + 5] = 9;
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> Envelope.decode(twice))
        .withMessage("SILENCE_MILLIS stands there twice");
    bytes[CommandCodec.HEADER_BYTES + 5] = 99;
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> Envelope.decode(bytes))
        .withMessage("a limit with code 99");
    assertThat(Arrays.stream(Limit.values()).map(Limit::code)).doesNotHaveDuplicates();
  }

  /** Whoever has a certificate can send anything: a member must get over it. */
  @Test
  void damagedEnvelopesAreRefusedOrReadButNeverFailOtherwise() {
    Random random = RandomCommands.random();
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
    Random random = RandomCommands.random();
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
    byte[] bytes = new Envelope(1, 1, 1, List.of(new Command.RemoveDevice("name", ""))).encode();
    Arrays.fill(bytes, 30, 34, (byte) 0x7f);
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> Envelope.decode(bytes))
        .withMessage("an array of 2139062143 bytes where 4 are left");
  }

  @Test
  void anEnvelopeOfALaterVersionIsNamedAsSuch() {
    byte[] bytes = new Envelope(1, 1, 1, List.of(new Command.RemoveDevice("name", ""))).encode();
    bytes[0] = 9;
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> Envelope.decode(bytes))
        .withMessage("bytes of version 9, this is version 1");
  }

  /** A snapshot is what a member goes on from: no bit of it may be wrong unnoticed. */
  @Test
  void aSnapshotWithAnyByteChangedOrMissingIsRefusedAndChangesNothing() throws Exception {
    Random random = RandomCommands.random();
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

  /** Else what follows would be read as another version has it. */
  @Test
  void aSnapshotIsRefusedIfItsHeaderSaysAnythingElse() throws Exception {
    byte[] snapshot = snapshot(new SiteMachine());
    int header = Long.BYTES + 2 * Integer.BYTES;
    for (int bit = 0; bit < header * Byte.SIZE; bit++) {
      byte[] damaged = snapshot.clone();
      damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertRefused(damaged);
    }
    for (byte version = 0; version < 13; version++) {
      byte[] damaged = snapshot.clone();
      if (version != damaged[Long.BYTES + Integer.BYTES - 1]) {
        damaged[Long.BYTES + Integer.BYTES - 1] = version;
        assertRefused(damaged);
      }
    }
  }

  private static void assertRefused(byte[] snapshot) {
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> new SiteMachine().readSnapshot(new ByteArrayInputStream(snapshot)));
  }

  /** Version 3 differs from version 4 only in that nothing told whether its number was whole. */
  @Test
  void aSnapshotOfTheVersionWithoutAChecksumOfItIsRead() throws Exception {
    ByteBuffer now = ByteBuffer.wrap(bytes(TOKENLESS_SNAPSHOT));
    ByteBuffer then = ByteBuffer.allocate(now.capacity() - Integer.BYTES);
    then.putLong(now.getLong()).putInt(3);
    then.put(now.position(now.position() + 2 * Integer.BYTES));
    assertThat(snapshot(restored(then.array())))
        .isEqualTo(snapshot(restored(bytes(TOKENLESS_SNAPSHOT))));
  }

  @Test
  void aSnapshotThatAnOlderVersionWroteIsReadAndHasNoRates() throws Exception {
    SiteMachine machine = restored(bytes(RATELESS_SNAPSHOT));
    Measures measures = machine.device("d").orElseThrow().measures();
    assertThat(measures.use()).isEqualTo(new ProcessUse(8, 9));
    assertThat(measures.remarks()).containsKey("j/t");
    assertThat(snapshot(restored(snapshot(machine)))).isEqualTo(snapshot(machine));
  }

  @Test
  void aSnapshotThatAnOlderVersionWroteIsReadAndHasNoTokens() throws Exception {
    SiteMachine machine = restored(bytes(TOKENLESS_SNAPSHOT));
    assertThat(machine.device("d").orElseThrow().labels()).isEqualTo(Map.of("zone", "north"));
    assertThat(machine.job("plant").orElseThrow().script()).isEqualTo("SELECT 1");
    assertThat(machine.membershipVersion()).isZero();
    assertThat(snapshot(restored(snapshot(machine)))).isEqualTo(snapshot(machine));
  }

  /** Versions before read a removal without a key, so it must stay as it was. */
  @Test
  void theBytesOfTokensAndRemovalsStayWhatTheyAre() throws Exception {
    Map<Command, String> expected =
        Map.of(
            new Command.RemoveDevice("d", ""),
            "04" + "0000000164",
            new Command.RemoveDevice("d", "k"),
            "16" + "0000000164" + "000000016b",
            new Command.AddToken("t", 5, 4),
            "17" + "0000000174" + "0000000000000005" + "0000000000000004",
            new Command.EnrolDevice(
                7, "t", "k", new Command.RegisterDevice("d", "h:1", Map.of("z", "n"))),
            "18"
                + "0000000000000007"
                + "0000000174"
                + "000000016b"
                + "0000000164"
                + "00000003683a31"
                + "00000001"
                + "000000017a"
                + "000000016e");
    for (Map.Entry<Command, String> entry : expected.entrySet()) {
      Command command = entry.getKey();
      assertThat(HexFormat.of().formatHex(CommandCodec.encodeCommand(command)))
          .isEqualTo(entry.getValue());
      assertThat(Envelope.decode(new Envelope(1, 1, 1, List.of(command)).encode()).commands())
          .containsExactly(command);
    }
  }

  /** Members of different age read each other's logs. */
  @Test
  void theBytesOfSecretsStayWhatTheyAre() throws Exception {
    Secret.Share share = new Secret.Share(new byte[] {1}, new byte[] {2});
    Map<Command, String> expected =
        Map.of(
            new Command.AnnounceKey("d", new byte[] {3}),
            "1e" + "0000000164" + "0000000103",
            new Command.SetSecret("s", 5, new byte[] {4}, Map.of("d", share)),
            "1f"
                + "0000000173"
                + "0000000000000005"
                + "0000000104"
                + "00000001"
                + "0000000164"
                + "0000000101"
                + "0000000102",
            new Command.ShareSecret("s", 7, "d", share),
            "20" + "0000000173" + "0000000000000007" + "0000000164" + "0000000101" + "0000000102",
            new Command.RemoveSecret("s"),
            "21" + "0000000173");
    for (Map.Entry<Command, String> entry : expected.entrySet()) {
      byte[] bytes = CommandCodec.encodeCommand(entry.getKey());
      assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(entry.getValue());
      Envelope read = Envelope.decode(new Envelope(1, 1, 1, List.of(entry.getKey())).encode());
      assertThat(CommandCodec.encodeCommand(read.commands().getFirst())).isEqualTo(bytes);
    }
  }

  /** Members of different age read each other's logs. */
  @Test
  void theBytesOfOrdersStayWhatTheyAre() throws Exception {
    UUID id = new UUID(1, 2);
    String idHex = "0000000000000001" + "0000000000000002";
    Map<Command, String> expected =
        Map.of(
            new Command.TakeOrder(3, id, OrderState.REFUSED, "w", 4, Optional.empty()),
            "28" + "0000000000000003" + idHex + "08" + "0000000177" + "0000000000000004" + "00",
            new Command.TakeOrder(
                3,
                id,
                OrderState.ACCEPTED,
                "",
                4,
                Optional.of(new Command.NewRow("j", 5, "t", 6, new byte[] {7}))),
            "28"
                + "0000000000000003"
                + idHex
                + "04"
                + "00000000"
                + "0000000000000004"
                + "01"
                + "000000016a"
                + "0000000000000005"
                + "0000000174"
                + "0000000000000006"
                + "0000000107",
            new Command.SettleOrder(id, OrderState.WRITTEN, "", 4),
            "29" + idHex + "05" + "00000000" + "0000000000000004",
            new Command.AllowTable(
                new Allowance("j", "t", List.of(new Allowance.Column("c", "0", "")), 8, 9)),
            "2a"
                + "000000016a"
                + "0000000174"
                + "00000001"
                + "0000000163"
                + "0000000130"
                + "00000000"
                + "00000008"
                + "0000000000000009",
            new Command.DisallowTable("j", "t"),
            "2b" + "000000016a" + "0000000174");
    for (Map.Entry<Command, String> entry : expected.entrySet()) {
      byte[] bytes = CommandCodec.encodeCommand(entry.getKey());
      assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(entry.getValue());
      Envelope read = Envelope.decode(new Envelope(1, 1, 1, List.of(entry.getKey())).encode());
      assertThat(CommandCodec.encodeCommand(read.commands().getFirst())).isEqualTo(bytes);
    }
    assertThat(Arrays.stream(OrderState.values()).map(OrderState::code))
        .containsExactly(4, 5, 6, 7, 8, 9, 10);
  }

  private static SiteMachine restored(byte[] snapshot) throws IOException, MalformedException {
    SiteMachine machine = new SiteMachine();
    machine.readSnapshot(new ByteArrayInputStream(snapshot));
    return machine;
  }

  private static byte[] snapshot(SiteMachine machine) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    machine.writeSnapshot(bytes);
    return bytes.toByteArray();
  }

  /** Members of different age read each other's logs. */
  @Test
  void theBytesOfAlarmsStayWhatTheyAre() throws Exception {
    TaskId task = new TaskId("j", "d");
    AlarmReport raise = new AlarmReport(AlarmEvent.RAISE, "p", 5, 6, 1.5, "é");
    Map<Command, String> expected =
        Map.of(
            new Command.ReportAlarms(
                task,
                2,
                new AlarmBatch(
                    "t",
                    AlarmPriority.HIGH,
                    3,
                    4,
                    7,
                    List.of(raise),
                    Map.of("w", new NoticeMark(9, 8, 1)))),
            "38"
                + "000000016a"
                + "0000000164"
                + "0000000000000002"
                + "00000061"
                + "01"
                + "000174"
                + "03"
                + "0000000000000003"
                + "0000000000000004"
                + "0000000000000007"
                + "00000001"
                + "01"
                + "000170"
                + "0000000000000005"
                + "0000000000000006"
                + "013ff8000000000000"
                + "0002c3a9"
                + "00000001"
                + "000177"
                + "0000000000000009"
                + "0000000000000008"
                + "0000000000000001",
            new Command.ActOnAlarms(
                new AlarmAction(
                    AlarmEvent.SHELVE, List.of(new AlarmAction.Target(1, 2)), "b", 3, 4, "n")),
            "39"
                + "0000002c"
                + "01"
                + "04"
                + "00000001"
                + "0000000000000001"
                + "0000000000000002"
                + "000162"
                + "0000000000000003"
                + "0000000000000004"
                + "00016e",
            new Command.KeepAlarms(task, 2, Set.of("t", "s")),
            "3a"
                + "000000016a"
                + "0000000164"
                + "0000000000000002"
                + "00000002"
                + "0000000173"
                + "0000000174");
    for (Map.Entry<Command, String> entry : expected.entrySet()) {
      byte[] bytes = CommandCodec.encodeCommand(entry.getKey());
      assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(entry.getValue());
      Envelope read = Envelope.decode(new Envelope(1, 1, 1, List.of(entry.getKey())).encode());
      assertThat(read.commands()).containsExactly(entry.getKey());
    }
  }
}
