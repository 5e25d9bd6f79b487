package io.sedge.site.internal.training;

import io.sedge.identity.TrainingReply;
import io.sedge.identity.TrainingStep;
import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Metrics;
import io.sedge.learning.training.Question;
import io.sedge.learning.training.QuestionCodec;
import io.sedge.learning.training.Recipe;
import io.sedge.learning.training.Statistic;
import io.sedge.learning.training.Trained;
import io.sedge.learning.training.Trainer;
import io.sedge.learning.training.TrainingException;
import io.sedge.learning.training.UnknownQuestionException;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One training over the devices of a site. Devices that do not take part at its beginning are left
 * out, and named. When one is lost later, all begins again with those that are left, {@value
 * #MOST_ATTEMPTS} times at most: the rows of the lost one cannot be taken back out of sums. One
 * thread, which waits.
 */
public final class SiteTraining {
  static final int MOST_ATTEMPTS = 4;

  /**
   * A device that gives no answer to a question for so long is lost, however busy it says it is.
   */
  private static final Duration LONGEST_ROUND = Duration.ofMinutes(30);

  /** A connection that fails may be one of a moment. */
  private static final int CONNECTION_ATTEMPTS = 3;

  private static final long PAUSE_NANOS = 500_000_000;

  /** How long a device that trains another model is waited for: whoever has it may have died. */
  private static final Duration BUSY_PATIENCE = TrainingRows.LEASE.multipliedBy(2);

  /** Devices forget their rows if they hear nothing, however long others take. */
  private static final Duration KEEP_EVERY = TrainingRows.LEASE.dividedBy(3);

  private final String job;
  private final String model;
  private final Recipe recipe;
  private final TrainingPeers peers;
  private final Progress progress;
  private final Duration keepEvery;

  /** Of the devices that take part, by name; of the attempt that runs. */
  private final NavigableMap<String, TrainingReply> gathered = new ConcurrentSkipListMap<>();

  private final NavigableMap<String, Long> sentBytes = new ConcurrentSkipListMap<>();

  /** How many questions a device did not know: it has answered so many rounds less. */
  private final Map<String, Integer> unknown = new ConcurrentHashMap<>();

  private final List<String> notes = new ArrayList<>();
  private String training = "";
  private int round;

  /**
   * What came of it.
   *
   * @param before how good the version before is on the same rows; empty if there is none that
   *     compares
   * @param gathered what each device had
   * @param sentBytes how much left each device, also in attempts that were given up
   * @param notes what people should know: a line each
   */
  public record Outcome(
      Trained trained,
      Optional<Metrics> before,
      Map<String, TrainingReply> gathered,
      Map<String, Long> sentBytes,
      List<String> notes) {
    public Outcome {
      gathered = Map.copyOf(gathered);
      sentBytes = Map.copyOf(sentBytes);
      notes = List.copyOf(notes);
    }
  }

  /** Hears what is being done. */
  @FunctionalInterface
  public interface Progress {
    /**
     * @param doing for people
     * @throws TrainingException if it is to end: nobody needs its model any more
     */
    void accept(String doing) throws TrainingException;
  }

  /** A device is lost amid a training. */
  private static final class LostException extends TrainingException {
    private static final long serialVersionUID = 1;

    LostException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * @param model the model's name in the job's script
   * @param progress is told what is being done
   */
  public SiteTraining(
      String job, String model, Recipe recipe, TrainingPeers peers, Progress progress) {
    this(job, model, recipe, peers, progress, KEEP_EVERY);
  }

  /**
   * @param keepEvery how often devices are told to keep their rows
   */
  SiteTraining(
      String job,
      String model,
      Recipe recipe,
      TrainingPeers peers,
      Progress progress,
      Duration keepEvery) {
    this.job = job;
    this.model = model;
    this.recipe = recipe;
    this.peers = peers;
    this.progress = progress;
    this.keepEvery = keepEvery;
  }

  /**
   * Trains.
   *
   * @param devices those that are up
   * @param before the model of the version before, to be compared with
   * @throws TrainingException if there is no model in the rows, or devices were lost too often
   */
  public Outcome train(Collection<String> devices, Optional<FittedModel> before)
      throws TrainingException, IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      training = UUID.randomUUID().toString();
      round = 0;
      gathered.clear();
      unknown.clear();
      try (ScheduledExecutorService keeping = keeping()) {
        try {
          return trainOnce(devices, before);
        } finally {
          var _ = keeping.shutdownNow();
        }
      } catch (LostException e) {
        notes.add(String.valueOf(e.getMessage()));
        progress.accept("begins again: " + e.getMessage());
        if (attempt == MOST_ATTEMPTS) {
          throw new TrainingException(
              "devices were lost in each of %d attempts: %s"
                  .formatted(MOST_ATTEMPTS, String.join("; ", notes)),
              e);
        }
      } finally {
        tell(TrainingStep.END, devices);
      }
    }
  }

  private Outcome trainOnce(Collection<String> devices, Optional<FittedModel> before)
      throws TrainingException, IOException, InterruptedException {
    gather(devices);
    DeviceCheck check = new DeviceCheck(recipe);
    Trainer.Devices asked = question -> ask(question, check);
    Trained trained = Trainer.train(recipe, asked);
    Optional<Metrics> metrics = Optional.empty();
    if (before.isPresent()) {
      FittedModel other = before.get();
      Question errors = new Question.Errors(other, trained.unit());
      metrics = Optional.of(other.metrics(Statistic.sum(asked.ask(errors), errors.size())));
    }
    List<String> all = new ArrayList<>(notes);
    all.addAll(check.notes());
    all.addAll(trained.notes());
    return new Outcome(trained, metrics, gathered, sentBytes, all);
  }

  /** Has devices that are done keep their rows while others are not. */
  private ScheduledExecutorService keeping() {
    ScheduledExecutorService keeping =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("sedge-training-keeper").factory());
    long nanos = keepEvery.toNanos();
    var _ =
        keeping.scheduleWithFixedDelay(
            () -> {
              try {
                tell(TrainingStep.KEEP, gathered.keySet());
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            },
            nanos,
            nanos,
            TimeUnit.NANOSECONDS);
    return keeping;
  }

  /**
   * Trainings that are begun at the same time must not take a part of the devices each. So the
   * first device by its name that takes part is asked alone: whoever has it has the turn.
   */
  private void awaitTurn(Collection<String> devices) throws InterruptedException {
    long begin = System.nanoTime();
    for (String device : new TreeSet<>(devices)) {
      try {
        Duration left = LONGEST_ROUND.minusNanos(System.nanoTime() - begin);
        var _ = ask(device, 0, new byte[0], left);
        return;
      } catch (SiteException _) {
        // The next one, then: whether this one takes part is found out with the others.
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }
  }

  /** Has each device gather its rows; those that do not are left out. */
  private void gather(Collection<String> devices) throws TrainingException, InterruptedException {
    Map<String, String> absent = new ConcurrentSkipListMap<>();
    byte[] nothing = new byte[0];
    progress.accept("waits for its turn");
    awaitTurn(devices);
    progress.accept("gathers rows on %d devices".formatted(devices.size()));
    atOnce(
        devices,
        device -> {
          try {
            gathered.put(device, await(device, 0, nothing));
          } catch (SiteException e) {
            absent.put(device, String.valueOf(e.getMessage()));
          }
          return device;
        });
    absent.forEach((device, why) -> notes.add("without %s: %s".formatted(device, why)));
    if (gathered.isEmpty()) {
      throw new TrainingException("no device takes part: %s".formatted(String.join("; ", notes)));
    }
  }

  private NavigableMap<String, Statistic> ask(Question question, DeviceCheck check)
      throws TrainingException, InterruptedException {
    round++;
    progress.accept(
        "round %d, over %,d rows of %d devices"
            .formatted(
                round,
                gathered.values().stream().mapToLong(TrainingReply::rows).sum(),
                gathered.size()));
    byte[] bytes = QuestionCodec.encode(question);
    NavigableMap<String, Statistic> answers = new TreeMap<>();
    for (Answer answer :
        atOnce(
            gathered.keySet(), device -> new Answer(device, statistic(device, question, bytes)))) {
      answers.put(answer.device(), answer.statistic());
    }
    check.take(question, answers);
    return answers;
  }

  private record Answer(String device, Statistic statistic) {}

  private Statistic statistic(String device, Question question, byte[] bytes)
      throws TrainingException {
    try {
      TrainingReply reply = await(device, round - unknown.getOrDefault(device, 0), bytes);
      sentBytes.merge(device, (long) reply.sums().length, Long::sum);
      return new Statistic(reply.behind(), QuestionCodec.numbers(reply.sums(), question.size()));
    } catch (SiteException | IllegalArgumentException e) {
      if (isUnknown(question, e)) {
        unknown.merge(device, 1, Integer::sum);
        throw new UnknownQuestionException("device %s is older".formatted(device), e);
      }
      throw new LostException(
          "device %s was lost in round %d: %s".formatted(device, round, e.getMessage()), e);
    }
  }

  /** Earlier versions know no questions about drift, and call those malformed. */
  private static boolean isUnknown(Question question, Exception failure) {
    return (question instanceof Question.Scores || question instanceof Question.Bins)
        && failure instanceof SiteException refusal
        && refusal.code() == FailureCode.JOIN_REFUSED;
  }

  /** Asks until there is an answer. */
  private TrainingReply await(String device, int asked, byte[] question) throws SiteException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < LONGEST_ROUND.toNanos()) {
      TrainingReply reply = ask(device, asked, question, BUSY_PATIENCE);
      if (reply.done()) {
        return reply;
      }
    }
    throw new SiteException(
        FailureCode.CONNECTION_FAILED,
        "no answer within %d min".formatted(LONGEST_ROUND.toMinutes()));
  }

  /**
   * Asks until the device says anything: where a connection fails for a moment, and, before it
   * takes part, where it trains another model.
   */
  private TrainingReply ask(String device, int asked, byte[] question, Duration busyPatience)
      throws SiteException {
    TrainingStep step = new TrainingStep(training, job, model, asked, question);
    long begin = System.nanoTime();
    int failures = 0;
    while (true) {
      try {
        return peers.ask(device, step);
      } catch (SiteException e) {
        boolean again =
            switch (e.code()) {
              case CONNECTION_FAILED -> ++failures < CONNECTION_ATTEMPTS;
              case NOT_NOW -> asked == 0 && System.nanoTime() - begin < busyPatience.toNanos();
              default -> false;
            };
        if (!again) {
          throw e;
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        throw new SiteException(FailureCode.NOT_NOW, "this device is being stopped");
      }
    }
  }

  /**
   * Tells devices to keep their rows, or to forget them. One that cannot be told forgets them by
   * itself.
   */
  private void tell(int what, Collection<String> devices) throws InterruptedException {
    TrainingStep step = new TrainingStep(training, job, model, what, new byte[0]);
    try {
      atOnce(
          devices,
          device -> {
            try {
              return peers.ask(device, step).rows();
            } catch (SiteException _) {
              return 0L;
            }
          });
    } catch (TrainingException e) {
      throw new IllegalStateException(e);
    }
  }

  private interface Asking<T> {
    T ask(String device) throws TrainingException;
  }

  private static <T> List<T> atOnce(Collection<String> devices, Asking<T> asking)
      throws TrainingException, InterruptedException {
    List<Callable<T>> each = new ArrayList<>();
    List.copyOf(devices).forEach(device -> each.add(() -> asking.ask(device)));
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("sedge-training-", 0).factory())) {
      List<T> answers = new ArrayList<>();
      for (Future<T> answer : threads.invokeAll(each)) {
        answers.add(answer.get());
      }
      return answers;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TrainingException known) {
        throw known;
      }
      throw new IllegalStateException("asking a device", e.getCause());
    }
  }
}
