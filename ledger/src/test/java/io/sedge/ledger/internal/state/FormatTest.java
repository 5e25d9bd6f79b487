package io.sedge.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Format;
import io.sedge.ledger.LaterFormatException;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Refusal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FormatTest {
  private static final int VERSION_AT = Long.BYTES;
  private static final String LATER =
      "format %d, and this version of Sedge reads %d at most: install the later version again"
          .formatted(Format.NEWEST + 1, Format.NEWEST);

  private final SiteMachine machine = new SiteMachine();
  private long entries;

  private Answer apply(Command command) {
    entries++;
    return machine
        .apply(entries, new Envelope(1, 1, entries, List.of(command)))
        .answers()
        .getFirst();
  }

  private void register(String device, String format) {
    Map<String, String> labels = format.isEmpty() ? Map.of() : Map.of(Format.LABEL, format);
    assertThat(apply(new Command.RegisterDevice(device, "h:1", labels)).isDone()).isTrue();
  }

  private void assertNotYet() {
    assertThat(apply(new Command.RaiseFormat(Format.NEWEST)))
        .isEqualTo(new Answer.Refused(Refusal.NOT_NOW, Format.FIRST));
    assertThat(machine.format()).isEqualTo(Format.FIRST);
  }

  private byte[] snapshot() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    machine.writeSnapshot(bytes);
    return bytes.toByteArray();
  }

  @Test
  void itRisesWhenEachDeviceReadsIt() throws IOException, MalformedException {
    register("a", "" + Format.NEWEST);
    register("b", "");
    assertNotYet();
    register("b", "much");
    assertNotYet();
    register("b", "" + Format.FIRST);
    assertNotYet();
    assertThat(snapshot()[VERSION_AT + 3]).as("as versions before read it").isEqualTo((byte) 14);
    register("b", "" + (Format.NEWEST + 1));
    assertThat(apply(new Command.RaiseFormat(Format.NEWEST)).isDone()).isTrue();
    assertThat(machine.format()).isEqualTo(Format.NEWEST);
    assertThat(apply(new Command.RaiseFormat(Format.NEWEST)))
        .as("again")
        .isEqualTo(new Answer.Refused(Refusal.NOT_NOW, Format.NEWEST));

    SiteMachine restored = new SiteMachine();
    restored.readSnapshot(new ByteArrayInputStream(snapshot()));
    assertThat(restored.format()).isEqualTo(Format.NEWEST);
  }

  /** What 17 has added begins when the site has it, and no earlier snapshot means anything else. */
  @Test
  void aSnapshotOfTheFormatBeforeIsReadAndKeepsIt() throws IOException, MalformedException {
    register("a", "" + Format.NEWEST);
    assertThat(apply(new Command.RaiseFormat(Format.SHADOWS - 1)).isDone()).isTrue();
    byte[] before = snapshot();
    assertThat(ByteBuffer.wrap(before).getInt(VERSION_AT)).isEqualTo(16);
    machine.readSnapshot(new ByteArrayInputStream(before));
    assertThat(machine.format()).isEqualTo(16);
    assertThat(snapshot()).isEqualTo(before);
    assertThat(apply(new Command.RaiseFormat(Format.SHADOWS)).isDone()).isTrue();
    assertThat(machine.format()).isEqualTo(17);
  }

  @Test
  void expelledDevicesDoNotCount() {
    register("a", "" + Format.NEWEST);
    register("b", "");
    assertThat(apply(new Command.SetDeviceState("b", DeviceState.EXPELLED)).isDone()).isTrue();
    assertThat(apply(new Command.RaiseFormat(Format.NEWEST)).isDone()).isTrue();
  }

  @Test
  void aDeviceThatDoesNotReadItComesInNoMore() {
    register("a", "" + Format.NEWEST);
    assertThat(apply(new Command.RaiseFormat(Format.NEWEST)).isDone()).isTrue();
    Answer refused = new Answer.Refused(Refusal.OLD_FORMAT, Format.NEWEST);
    assertThat(apply(new Command.RegisterDevice("b", "h:1", Map.of()))).isEqualTo(refused);
    assertThat(apply(new Command.RegisterDevice("a", "h:1", Map.of()))).isEqualTo(refused);
    assertThat(apply(new Command.AddToken("t", 10, 1)).isDone()).isTrue();
    assertThat(
            apply(
                new Command.EnrolDevice(
                    machine.membershipVersion(),
                    "t",
                    "key",
                    new Command.RegisterDevice("b", "h:1", Map.of()))))
        .isEqualTo(refused);
    register("b", "" + Format.NEWEST);
  }

  /** Whoever cannot read it must not go on as if it could. */
  @Test
  void aLaterFormatIsRefusedAndNotCalledDamaged() throws IOException {
    byte[] raised =
        new Envelope(1, 1, 1, List.of(new Command.RaiseFormat(Format.NEWEST + 1))).encode();
    assertThatExceptionOfType(LaterFormatException.class)
        .isThrownBy(() -> Envelope.decode(raised))
        .withMessage("the site has " + LATER);
    assertThatIllegalArgumentException().isThrownBy(() -> new Command.RaiseFormat(Format.FIRST));

    register("a", "" + Format.NEWEST);
    assertThat(apply(new Command.RaiseFormat(Format.NEWEST)).isDone()).isTrue();
    ByteBuffer later = ByteBuffer.wrap(snapshot());
    later.putInt(VERSION_AT, Format.NEWEST + 1);
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> new SiteMachine().readSnapshot(new ByteArrayInputStream(later.array())))
        .withMessage("a snapshot whose version has a wrong checksum");
    later.putInt(VERSION_AT + Integer.BYTES, BlockOutputStream.checksumOf(Format.NEWEST + 1));
    assertThatExceptionOfType(LaterFormatException.class)
        .isThrownBy(() -> new SiteMachine().readSnapshot(new ByteArrayInputStream(later.array())))
        .withMessage("a snapshot has " + LATER);
  }
}
