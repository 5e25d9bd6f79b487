package io.sedge.site.internal.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.identity.TrainingReply;
import io.sedge.identity.TrainingStep;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.training.DeviceRows;
import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Question;
import io.sedge.learning.training.QuestionCodec;
import io.sedge.learning.training.Recipe;
import io.sedge.learning.training.Statistic;
import io.sedge.learning.training.TrainingException;
import io.sedge.learning.training.TrainingShare;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trainings over devices that are lost, silent for a moment, away, or have broken sensors. */
class SiteTrainingTest {
  private static final Recipe RECIPE =
      Recipe.of(
          new ModelDescriptor(
              "wear",
              Schema.builder()
                  .add("vibration", Type.DOUBLE)
                  .add("temperature", Type.DOUBLE)
                  .build(),
              Schema.builder().add("risk", Type.DOUBLE).build(),
              Map.of("algorithm", "logistic", "label", "failed", "train.share", "1")));

  @TempDir private Path directory;

  private final Map<String, DeviceRows> rows = new TreeMap<>();

  /** In which round a device dies; it answers nothing from then on. */
  private final Map<String, Integer> dies = new ConcurrentHashMap<>();

  /** How often a device does not answer before it does. */
  private final Map<String, Integer> silent = new ConcurrentHashMap<>();

  /** The training that each device takes part in: in one at a time. */
  private final Map<String, String> holders = new ConcurrentHashMap<>();

  /** Devices of a version that knows no questions about drift, and the last round of each. */
  private final Map<String, Integer> older = new ConcurrentHashMap<>();

  /** Who was asked for which round. */
  private final Queue<String> asks = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void makeRows() throws Exception {
    for (String device : List.of("a", "b", "c")) {
      add(device, 2_000, 0);
    }
  }

  private void add(String device, int count, double shift) throws Exception {
    Random random = new Random(device.charAt(0));
    DeviceRows own = new DeviceRows(directory.resolve(device), RECIPE);
    rows.put(device, own);
    for (int i = 0; i < count; i++) {
      double vibration = 3 + random.nextGaussian();
      double temperature = 320 + 5 * random.nextGaussian() + shift;
      double failed = vibration + 0.5 * random.nextGaussian() > 4 ? 1 : 0;
      own.add(new double[] {vibration, temperature, failed}, i);
    }
    own.finish();
  }

  @AfterEach
  void close() throws IOException {
    for (DeviceRows own : rows.values()) {
      own.close();
    }
  }

  private TrainingReply answer(String device, TrainingStep step) throws SiteException {
    asks.add(device + " " + step.round());
    if (silent.getOrDefault(device, 0) > 0) {
      silent.merge(device, -1, Integer::sum);
      throw new SiteException(FailureCode.CONNECTION_FAILED, "no device answers");
    }
    if (dies.containsKey(device) && (step.round() >= dies.get(device) || dies.get(device) == 0)) {
      dies.put(device, 0);
      holders.remove(device);
      throw new SiteException(FailureCode.CONNECTION_FAILED, "no device answers");
    }
    if (step.round() == TrainingStep.END) {
      holders.remove(device, step.training());
    } else if (!holders.computeIfAbsent(device, _ -> step.training()).equals(step.training())) {
      throw new SiteException(FailureCode.NOT_NOW, "it trains another model now");
    }
    DeviceRows own = rows.get(device);
    if (own == null) {
      throw new SiteException(FailureCode.UNKNOWN_NAME, "it has no model wear of job plant (yet)");
    }
    if (older.containsKey(device) && step.round() >= 0) {
      answerAsOlder(device, step);
    }
    DeviceRows.Summary summary = own.summary();
    Statistic statistic = Statistic.nothing(0);
    if (step.round() > 0) {
      try {
        synchronized (own) {
          statistic =
              own.answer(
                  QuestionCodec.decode(step.question()), new TrainingShare(1, System::nanoTime));
        }
      } catch (IOException | InterruptedException e) {
        throw new SiteException(FailureCode.INTERNAL_ERROR, e.toString(), e);
      }
    }
    return new TrainingReply(
        true,
        summary.rows(),
        summary.leftOut(),
        summary.firstMillis(),
        summary.lastMillis(),
        statistic.rows(),
        QuestionCodec.bytes(statistic.sums()));
  }

  /** As devices do, it answers one round after the other, and none that it does not know. */
  private void answerAsOlder(String device, TrainingStep step) throws SiteException {
    if (step.round() == 0) {
      older.put(device, 0);
      return;
    }
    if (step.round() != older.get(device) + 1) {
      throw new SiteException(FailureCode.NOT_NOW, "it is not at round " + step.round());
    }
    Question question = QuestionCodec.decode(step.question());
    if (question instanceof Question.Scores || question instanceof Question.Bins) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "the request is malformed: no question has number 7");
    }
    older.put(device, step.round());
  }

  private SiteTraining.Outcome train(String... devices) throws Exception {
    return train(Optional.empty(), devices);
  }

  private SiteTraining.Outcome train(Optional<FittedModel> live, String... devices)
      throws Exception {
    return new SiteTraining("plant", "wear", RECIPE, this::answer, _ -> {})
        .train(List.of(devices), live);
  }

  /** In every round: the result is that of the devices which are left, to the last bit. */
  @Test
  void aDeviceThatDiesInAnyRoundLeavesTheResultOfTheOthers() throws Exception {
    double[] without = train("a", "c").trained().model().numbers();
    int rounds = train("a", "b", "c").trained().rounds();
    assertThat(rounds).isGreaterThan(4);
    for (int round = 1; round <= rounds; round++) {
      dies.put("b", round);
      SiteTraining.Outcome outcome = train("a", "b", "c");
      assertThat(outcome.trained().model().numbers()).isEqualTo(without);
      assertThat(outcome.gathered()).containsOnlyKeys("a", "c");
      assertThat(outcome.notes().getFirst())
          .isEqualTo("device b was lost in round %d: no device answers".formatted(round));
      assertThat(outcome.notes()).contains("without b: no device answers");
      dies.clear();
    }
  }

  /** While a site is upgraded one device after the other, its models are trained as before. */
  @Test
  void aDeviceThatKnowsNoQuestionsAboutDriftTakesPart() throws Exception {
    SiteTraining.Outcome all = train("a", "b", "c");
    assertThat(all.trained().reference()).isPresent();
    older.put("b", 0);
    // Compared with a version that is live, which is asked for last of all.
    SiteTraining.Outcome outcome = train(Optional.of(all.trained().model()), "a", "b", "c");
    assertThat(outcome.trained().model().numbers()).isEqualTo(all.trained().model().numbers());
    assertThat(outcome.trained().reference()).isEmpty();
    assertThat(outcome.before()).isPresent();
    assertThat(outcome.gathered()).containsOnlyKeys("a", "b", "c");
    assertThat(outcome.notes())
        .containsExactly("device b is older: this version has no reference for drift");
  }

  @Test
  void aDeviceThatIsSilentForAMomentIsNotLost() throws Exception {
    double[] all = train("a", "b", "c").trained().model().numbers();
    silent.put("b", 2);
    SiteTraining.Outcome outcome = train("a", "b", "c");
    assertThat(outcome.trained().model().numbers()).isEqualTo(all);
    assertThat(outcome.notes()).isEmpty();
  }

  /** Who is asked first, and answers first, does not matter. */
  @Test
  void theOrderOfDevicesDoesNotMatter() throws Exception {
    assertThat(train("c", "a", "b").trained().model().numbers())
        .isEqualTo(train("a", "b", "c").trained().model().numbers());
  }

  @Test
  void aDeviceWithoutTheModelAndOneWithoutRowsAreLeftOut() throws Exception {
    add("d", 0, 0);
    SiteTraining.Outcome outcome = train("a", "b", "c", "d", "e");
    assertThat(outcome.trained().model().numbers())
        .isEqualTo(train("a", "b", "c").trained().model().numbers());
    assertThat(outcome.gathered().get("d").rows()).isZero();
    assertThat(outcome.notes())
        .containsExactly("without e: it has no model wear of job plant (yet)");
  }

  @Test
  void aBrokenSensorIsNamed() throws Exception {
    add("d", 500, 1e6);
    assertThat(train("a", "b", "c", "d").notes())
        .anyMatch(note -> note.startsWith("temperature of device d is 1.000e+06 on average"))
        .noneMatch(note -> note.contains("device a"));
  }

  /** The live version is judged on the same rows, so that a gate compares what compares. */
  @Test
  void theLiveVersionIsJudgedOnTheSameRows() throws Exception {
    SiteTraining.Outcome first = train("a", "b", "c");
    SiteTraining.Outcome second = train(Optional.of(first.trained().model()), "a", "b", "c");
    assertThat(second.before().orElseThrow()).isEqualTo(second.trained().metrics());
    double[] worse = first.trained().model().numbers();
    worse[2] += 3;
    FittedModel before = FittedModel.of(RECIPE.algorithm(), 2, worse);
    SiteTraining.Outcome third = train(Optional.of(before), "a", "b", "c");
    assertThat(third.trained().metrics().isBetterThan(third.before().orElseThrow())).isTrue();
  }

  /** What leaves a device is counted: eight bytes a sum, and nothing of the rows. */
  @Test
  void whatLeavesADeviceIsCountedAndBounded() throws Exception {
    SiteTraining.Outcome small = train("a", "b", "c");
    assertThat(small.sentBytes().get("a")).isEqualTo(small.sentBytes().get("b"));
    rows.get("a").close();
    add("a", 20_000, 0);
    SiteTraining.Outcome large = train("a", "b", "c");
    long rounds = large.trained().rounds();
    assertThat(large.sentBytes().get("a")).isLessThan(rounds * 8 * 16 + 8 * 1_002);
    assertThat(large.gathered().get("a").rows()).isEqualTo(20_000);
  }

  /** Quick devices wait for slow ones: they must not forget their rows meanwhile. */
  @Test
  void devicesThatAreDoneAreToldToKeepTheirRowsWhileOthersAreBusy() throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    TrainingPeers peers =
        (device, step) -> {
          TrainingReply reply = answer(device, step);
          boolean kept = asks.containsAll(List.of("a -2", "b -2"));
          boolean busy = device.equals("c") && step.round() == 1 && !kept;
          if (busy && System.nanoTime() > deadline) {
            throw new SiteException(FailureCode.JOB_NOT_FINISHED, "nobody was told to keep rows");
          }
          return busy ? new TrainingReply(false, 0, 0, 0, 0, 0, new byte[0]) : reply;
        };
    SiteTraining.Outcome outcome =
        new SiteTraining("plant", "wear", RECIPE, peers, _ -> {}, Duration.ofMillis(5))
            .train(List.of("a", "b", "c"), Optional.empty());
    assertThat(outcome.notes()).isEmpty();
    assertThat(outcome.gathered()).containsOnlyKeys("a", "b", "c");
    assertThat(outcome.sentBytes().get("a")).isEqualTo(outcome.sentBytes().get("c"));
  }

  /** Otherwise each would have some of the devices, and its model be that of a part of the site. */
  @Test
  void trainingsThatBeginTogetherHaveAllDevicesEach() throws Exception {
    double[] all = train("a", "b", "c").trained().model().numbers();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<SiteTraining.Outcome>> both =
          List.of(() -> train("a", "b", "c"), () -> train("c", "b", "a"));
      for (Future<SiteTraining.Outcome> outcome : threads.invokeAll(both)) {
        assertThat(outcome.get().trained().model().numbers()).isEqualTo(all);
        assertThat(outcome.get().notes()).isEmpty();
      }
    }
    assertThat(holders).isEmpty();
  }

  /** Two trainings that held some devices each would wait for each other. */
  @Test
  void noOtherDeviceIsAskedWhileTheFirstTrainsAnotherModel() throws Exception {
    AtomicReference<List<String>> askedMeanwhile = new AtomicReference<>();
    AtomicBoolean refused = new AtomicBoolean();
    TrainingPeers peers =
        (device, step) -> {
          if (device.equals("a") && step.round() == 0) {
            if (refused.compareAndSet(false, true)) {
              throw new SiteException(FailureCode.NOT_NOW, "it trains another model now");
            }
            askedMeanwhile.compareAndSet(null, List.copyOf(asks));
          }
          return answer(device, step);
        };
    SiteTraining.Outcome outcome =
        new SiteTraining("plant", "wear", RECIPE, peers, _ -> {})
            .train(List.of("c", "b", "a"), Optional.empty());
    assertThat(askedMeanwhile.get()).isEmpty();
    assertThat(outcome.gathered()).containsOnlyKeys("a", "b", "c");
  }

  /** A device that is busy for a while takes part; it is not a device that is away. */
  @Test
  void aDeviceThatTrainsAnotherModelIsWaitedFor() throws Exception {
    double[] all = train("a", "b", "c").trained().model().numbers();
    TrainingPeers peers =
        (device, step) -> {
          if (device.equals("b") && step.round() == 0 && !asks.contains("b 0")) {
            asks.add("b 0");
            throw new SiteException(FailureCode.NOT_NOW, "it trains another model now");
          }
          return answer(device, step);
        };
    asks.clear();
    SiteTraining.Outcome outcome =
        new SiteTraining("plant", "wear", RECIPE, peers, _ -> {})
            .train(List.of("a", "b", "c"), Optional.empty());
    assertThat(outcome.trained().model().numbers()).isEqualTo(all);
  }

  @Test
  void aTrainingThatNobodyNeedsAnyMoreEnds() {
    SiteTraining training =
        new SiteTraining(
            "plant",
            "wear",
            RECIPE,
            this::answer,
            doing -> {
              if (doing.startsWith("round 3")) {
                throw new TrainingException("job plant was replaced");
              }
            });
    assertThatThrownBy(() -> training.train(List.of("a", "b", "c"), Optional.empty()))
        .hasMessage("job plant was replaced");
    assertThat(asks).contains("a 2").doesNotContain("a 3");
    assertThat(holders).isEmpty();
  }

  @Test
  void whereNobodyTakesPartItIsSaid() {
    assertThatThrownBy(() -> train("e"))
        .isInstanceOf(TrainingException.class)
        .hasMessage("no device takes part: without e: it has no model wear of job plant (yet)");
  }
}
