package io.sedge.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Refusal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the ledger knows of the files that scripts name. */
class JobFilesTest {
  /** What the version before files of jobs has left on disks: a job that was replaced. */
  private static final String FILELESS_SNAPSHOT =
      """
      53656467654c64670000000b15a119b1000001a93793415900000000000000020000000901000000
      00000000400200000000000000400300000000000008000400000000000200000500000000004000
      000600000000010000000700000000008000000800000000008000000900000000000003e8000000
      000000000000000000000000000000000000000000000000000000000100000005706c616e740000
      000853454c45435420320000000000000002010000000000000000010000000853454c4543542031
      00000000000000010000000000000000000000000000000100000000000000010000000000000000
      00000000000000000000000100000000000000010000000000000000000000000000000000000001
      00000000000000010000000000000001000000000000000201000000000000000200000001010000
      00000000000200000000000000020000000000000000000000000000000000000000000000000000
      00005601000000000000000000000000000000000000000000000000000000000000000000000000
      00000000000000000000000000000000000000000000000000000000000000000000000000000000
      0000000000000000000000000000000000000001a945734497
      """;

  private final SiteMachine machine = new SiteMachine();
  private long index;

  private static JobFile file(String path, char digit, long bytes) {
    return new JobFile(path, String.valueOf(digit).repeat(64), bytes);
  }

  private Answer apply(Command command) {
    index++;
    return machine.apply(index, new Envelope(1, 2, index, List.of(command))).answers().getFirst();
  }

  private static Command.ReplaceJob replacement(long version, List<JobFile> files) {
    return new Command.ReplaceJob(
        "plant", version, "new", files, List.of(), Set.of(), Map.of(), true);
  }

  private Job job() {
    return machine.job("plant").orElseThrow();
  }

  /** Members of different age read each other's logs. */
  @Test
  void theBytesOfJobsWithFilesStayWhatTheyAreAndThoseOfJobsWithoutToo() throws Exception {
    JobFile file = file("m", 'a', 7);
    String its = "000000016d" + "00000040" + "61".repeat(64) + "0000000000000007";
    Map<Command, String> expected =
        Map.of(
            new Command.SubmitJob("j", "s"),
            "05" + "000000016a" + "0000000173",
            new Command.SubmitJob("j", "s", List.of(file)),
            "3b" + "000000016a" + "0000000173" + "00000001" + its,
            new Command.ReplaceJob("j", 3, "s", List.of(), List.of(), Set.of("t"), Map.of(), false),
            "1a"
                + "000000016a"
                + "0000000000000003"
                + "0000000173"
                + "00000000"
                + "00000001"
                + "0000000174"
                + "00000000"
                + "00",
            new Command.ReplaceJob(
                "j", 3, "s", List.of(file), List.of(), Set.of("t"), Map.of(), false),
            "3c"
                + "000000016a"
                + "0000000000000003"
                + "0000000173"
                + "00000000"
                + "00000001"
                + "0000000174"
                + "00000000"
                + "00"
                + "00000001"
                + its);
    for (Map.Entry<Command, String> entry : expected.entrySet()) {
      byte[] bytes = CommandCodec.encodeCommand(entry.getKey());
      assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(entry.getValue());
      Envelope read = Envelope.decode(new Envelope(1, 1, 1, List.of(entry.getKey())).encode());
      assertThat(read.commands()).containsExactly(entry.getKey());
    }
  }

  @Test
  void aSnapshotThatAnOlderVersionWroteIsReadAndItsJobsHaveNoFiles() throws Exception {
    byte[] old = HexFormat.of().parseHex(FILELESS_SNAPSHOT.replaceAll("\\s", ""));
    machine.readSnapshot(new ByteArrayInputStream(old));
    assertThat(job().script()).isEqualTo("SELECT 2");
    assertThat(job().files()).isEmpty();
    assertThat(job().earlier()).contains(new Job.Earlier("SELECT 1", 1, 0, List.of()));
  }

  /** The tasks of the script before go on delivering with the files that it was compiled with. */
  @Test
  void theScriptBeforeKeepsItsFilesForAsLongAsItDelivers() throws Exception {
    List<JobFile> before = List.of(file("m", 'a', 7), file("n", 'b', 8));
    List<JobFile> after = List.of(file("m", 'c', 9));
    assertThat(apply(new Command.SubmitJob("plant", "old", before)).isDone()).isTrue();
    assertThat(apply(replacement(1, after)).isDone()).isTrue();
    assertThat(job().files()).isEqualTo(after);
    assertThat(job().earlier().orElseThrow().files()).isEqualTo(before);
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    machine.writeSnapshot(snapshot);
    SiteMachine copy = new SiteMachine();
    copy.readSnapshot(new ByteArrayInputStream(snapshot.toByteArray()));
    assertThat(copy.jobs()).isEqualTo(machine.jobs());
    assertThat(apply(new Command.EndDelivery("plant", 1)).isDone()).isTrue();
    assertThat(job().earlier()).isEmpty();
  }

  /** Every device keeps all of them. */
  @Test
  void filesOfAllJobsTogetherAreBoundedAndAFileOfTwoJobsCountsOnce() {
    List<JobFile> three =
        List.of(
            file("a", 'a', JobFile.MAX_BYTES),
            file("b", 'b', JobFile.MAX_BYTES),
            file("c", 'c', JobFile.MAX_BYTES));
    assertThat(apply(new Command.SubmitJob("plant", "s", three)).isDone()).isTrue();
    assertThat(apply(new Command.SubmitJob("mill", "s", three)).isDone()).isTrue();
    List<JobFile> last = List.of(file("d", 'd', JobFile.MAX_BYTES));
    assertThat(apply(new Command.SubmitJob("press", "s", last)).isDone()).isTrue();
    Answer tooMuch = new Answer.Refused(Refusal.TOO_LARGE, JobFile.MAX_SITE_BYTES);
    List<JobFile> small = List.of(file("e", 'e', 1));
    assertThat(apply(new Command.SubmitJob("lathe", "s", small))).isEqualTo(tooMuch);
    assertThat(apply(replacement(1, small)))
        .as("the script before needs its own")
        .isEqualTo(tooMuch);
    assertThat(apply(new Command.RemoveJob("press", true)).isDone()).isFalse();
    assertThat(apply(new Command.SetJobState("press", 1, JobState.STOPPED, "")).isDone()).isTrue();
    assertThat(apply(new Command.RemoveJob("press", true)).isDone()).isTrue();
    assertThat(apply(new Command.SubmitJob("lathe", "s", small)).isDone()).isTrue();
  }

  @Test
  void whatCanBeNoFileIsNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> file("m", 'g', 1))
        .withMessageContaining("is no SHA-256");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> file("m", 'a', JobFile.MAX_BYTES + 1))
        .withMessageContaining("536870912 at most");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> file("x".repeat(Command.MAX_TEXT_BYTES + 1), 'a', 1))
        .withMessageContaining("1 to 4096 are allowed");
    JobFile file = file("m", 'a', 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Command.SubmitJob("j", "s", List.of(file, file)))
        .withMessageContaining("each once");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Command.SubmitJob("j", "s", Collections.nCopies(65, file)));
  }
}
