package io.sedge.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Format;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.ModelVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the ledger knows of models that devices have trained. */
class ModelsTest {
  private final SiteMachine machine = new SiteMachine();
  private long index;

  @BeforeEach
  void submitsTheJob() {
    apply(new Command.SubmitJob("plant", "script"));
  }

  private Answer apply(Command command) {
    index++;
    Answer answer =
        machine.apply(index, new Envelope(1, 2, index, List.of(command))).answers().getFirst();
    machine.checkInvariants();
    return answer;
  }

  private long add(JobFile file, long atMillis) {
    Answer answer = apply(new Command.AddModelVersion(version(file, atMillis, Map.of("a", 100L))));
    return ((Answer.Done) answer).value();
  }

  private void score(JobFile... files) {
    long job = machine.job("plant").orElseThrow().version();
    Answer answer =
        apply(
            new Command.ReplaceJob(
                "plant", job, "script", List.of(files), List.of(), Set.of(), Map.of(), false));
    assertThat(answer.isDone()).isTrue();
  }

  private static JobFile file(int number) {
    return new JobFile("model wear", "%064x".formatted(number), 236);
  }

  private static ModelVersion version(JobFile file, long atMillis, Map<String, Long> devices) {
    return new ModelVersion(
        "plant",
        "wear",
        0,
        atMillis,
        file,
        "linear",
        List.of("vibration"),
        "failed",
        new double[] {1},
        Map.of("RMSE", 0.5),
        devices,
        devices,
        0,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        "",
        0);
  }

  /** Training over history that has not changed gives the same model: it must not fill the list. */
  @Test
  void aModelThatComesOutAgainKeepsItsNumberAndStaysLive() {
    assertThat(add(file(1), 10)).isEqualTo(1);
    score(file(1));
    for (int i = 0; i < ModelVersion.MAX_VERSIONS; i++) {
      assertThat(add(file(1), 20 + i)).isEqualTo(1);
    }
    score(file(1));
    assertThat(add(file(1), 50)).isEqualTo(1);
    assertThat(machine.models()).singleElement().extracting(ModelVersion::atMillis).isEqualTo(50L);
    assertThat(machine.models().getFirst().live()).isPositive();
    assertThat(add(file(2), 60)).isEqualTo(2);
  }

  @Test
  void theOldestThatIsNotLiveGoesFirst() {
    for (int i = 1; i <= ModelVersion.MAX_VERSIONS; i++) {
      add(file(i), i);
    }
    score(file(1));
    assertThat(add(file(11), 11)).isEqualTo(11);
    assertThat(machine.models().stream().map(ModelVersion::number))
        .containsExactly(1L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
  }

  /** Devices drop the same one, whichever version they have: what is new begins with the format. */
  @Test
  void theShadowIsNotDroppedOnceTheSiteHasItsFormat() {
    for (int i = 1; i <= ModelVersion.MAX_VERSIONS; i++) {
      add(file(i), i);
    }
    score(file(3), file(1).asShadowOf("wear"));
    assertThat(machine.models()).filteredOn(version -> version.live() > 0).hasSize(1);
    assertThat(machine.models().getFirst().isShadow(machine.job("plant").orElseThrow())).isTrue();
    apply(new Command.RegisterDevice("a", "h:1", Map.of(Format.LABEL, "" + Format.NEWEST)));
    assertThat(apply(new Command.RaiseFormat(Format.NEWEST)).isDone()).isTrue();
    add(file(11), 11);
    assertThat(machine.models().stream().map(ModelVersion::number))
        .containsExactly(1L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
    score(file(3));
    add(file(12), 12);
    assertThat(machine.models().stream().map(ModelVersion::number)).startsWith(3L, 4L);
  }

  @Test
  void theVersionThatWasRolledBackIsNotDropped() {
    apply(new Command.RegisterDevice("a", "h:1", Map.of(Format.LABEL, "" + Format.NEWEST)));
    assertThat(apply(new Command.RaiseFormat(Format.NEWEST)).isDone()).isTrue();
    for (int i = 1; i <= ModelVersion.MAX_VERSIONS; i++) {
      add(file(i), i);
    }
    score(file(2), file(3).asRolledBackOf("wear"));
    for (int i = 11; i <= 18; i++) {
      add(file(i), i);
    }
    assertThat(machine.models().stream().map(ModelVersion::number)).startsWith(2L, 3L, 11L);
    assertThat(machine.models().get(1).isRolledBack(machine.job("plant").orElseThrow())).isTrue();
  }

  @Test
  void beforeThatFormatTheShadowIsDroppedAsAnyOther() {
    for (int i = 1; i <= ModelVersion.MAX_VERSIONS; i++) {
      add(file(i), i);
    }
    score(file(3), file(1).asShadowOf("wear"));
    add(file(11), 11);
    assertThat(machine.models().getFirst().number()).isEqualTo(2);
  }

  /** Whoever writes the log, an entry of it must not end every device that reads it. */
  @Test
  void versionsThatAreAllLiveGiveWayToo() {
    Models models = new Models();
    for (int i = 1; i <= ModelVersion.MAX_VERSIONS; i++) {
      models
          .versions
          .computeIfAbsent(new Models.Key("plant", "wear"), _ -> new ArrayList<>())
          .add(version(file(i), i, Map.of()).with(i, 7));
    }
    Site site = new Site();
    site.jobs.put("plant", new JobEntry("plant", "script", 0));
    Answer answer = models.add(new Command.AddModelVersion(version(file(11), 11, Map.of())), site);
    assertThat(answer.isDone()).isTrue();
    assertThat(models.all()).hasSize(ModelVersion.MAX_VERSIONS);
    assertThat(models.all().getFirst().number()).isEqualTo(2);
  }

  /** A job of the same name that comes later has nothing to do with them. */
  @Test
  void versionsGoWithTheirJob() {
    add(file(1), 1);
    apply(new Command.SubmitJob("mill", "script"));
    remove("mill");
    assertThat(machine.models()).hasSize(1);
    remove("plant");
    assertThat(machine.models()).isEmpty();
  }

  private void remove(String job) {
    long version = machine.job(job).orElseThrow().version();
    apply(new Command.SetJobState(job, version, JobState.STOPPED, ""));
    assertThat(apply(new Command.RemoveJob(job, true)).isDone()).isTrue();
  }

  @Test
  void asManyDevicesTakePartAsASiteMayHave() throws Exception {
    Map<String, Long> devices = new HashMap<>();
    for (int i = 0; i < ModelVersion.MAX_DEVICES; i++) {
      devices.put("device-" + i, 100L + i);
    }
    Command command = new Command.AddModelVersion(version(file(1), 1, devices));
    Envelope envelope = new Envelope(1, 2, 2, List.of(command));
    machine.apply(2, Envelope.decode(envelope.encode()));
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    machine.writeSnapshot(snapshot);
    SiteMachine restored = new SiteMachine();
    restored.readSnapshot(new ByteArrayInputStream(snapshot.toByteArray()));
    assertThat(restored.models().getFirst().rows()).isEqualTo(devices).hasSize(200);
    devices.put("one more", 1L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> version(file(1), 1, devices))
        .withMessage("a version of model wear has 201 devices; 200 are allowed");
  }
}
