package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.identity.TrainingReply;
import io.sedge.learning.training.Algorithm;
import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.OnnxFile;
import io.sedge.learning.training.Recipe;
import io.sedge.learning.training.TrainingException;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.ModelVersion;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.ModelStatus;
import io.sedge.site.api.ModelVersionStatus;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.TrainingStatus;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.site.internal.files.FileKeeper;
import io.sedge.site.internal.membership.PromotionGate.Stage;
import io.sedge.site.internal.training.SiteTraining;
import io.sedge.site.internal.training.TrainingPeers;
import io.sedge.site.internal.training.TrainingSchedule;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Models that jobs have the site train: trains them, keeps their versions, and has jobs score by
 * others. Any thread.
 */
public final class ModelDesk implements TrainingSchedule.Trainings, AutoCloseable {
  private static final String CUT = " …";

  /** A device that does not hear that the training is over forgets its rows by itself. */
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final LedgerMember member;
  private final LedgerMembership membership;
  private final SiteNode node;
  private final ScriptCheck scripts;
  private final JobReplacing replacing;
  private final FileKeeper keeper;
  private final TrainingPeers peers;
  private final InstantSource clock;

  /** What this device has begun, and what came of it, by job and model. */
  private final Map<Name, TrainingStatus> trainings = new ConcurrentHashMap<>();

  /** One training at a time; each model waits in it once at most. */
  private final ExecutorService queue =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("sedge-training").factory());

  private record Name(String job, String model) {}

  ModelDesk(
      LedgerMember member,
      LedgerMembership membership,
      SiteNode node,
      ScriptCheck scripts,
      JobReplacing replacing,
      FileKeeper keeper,
      TrainingPeers peers,
      InstantSource clock) {
    this.member = member;
    this.membership = membership;
    this.node = node;
    this.scripts = scripts;
    this.replacing = replacing;
    this.keeper = keeper;
    this.peers = peers;
    this.clock = clock;
  }

  /** See {@link io.sedge.site.api.SiteControl#models}. */
  List<ModelStatus> models() {
    List<Job> jobs = member.read(SiteState::jobs);
    List<ModelVersion> versions = member.read(SiteState::models);
    Map<String, Job> byName = jobs.stream().collect(Collectors.toMap(Job::name, job -> job));
    Map<Name, Optional<Declared>> names = new LinkedHashMap<>();
    for (Job job : jobs) {
      for (io.sedge.sql.Job compiled : node.compiled(job).stream().toList()) {
        for (io.sedge.sql.Job.Training training : compiled.trainings()) {
          String model = training.model().name();
          names.put(
              new Name(job.name(), model),
              Optional.of(
                  new Declared(Recipe.of(training.model()), compiled.scoresByShadow(model))));
        }
      }
    }
    versions.forEach(
        version -> names.putIfAbsent(new Name(version.job(), version.model()), Optional.empty()));
    List<ModelStatus> all = new ArrayList<>();
    names.forEach(
        (name, declared) ->
            all.add(
                new ModelStatus(
                    name.job(),
                    name.model(),
                    declared.map(each -> each.recipe().algorithm().text()).orElse(""),
                    declared
                        .flatMap(each -> each.recipe().every())
                        .map(every -> every.toMillis())
                        .orElse(0L),
                    declared.filter(Declared::scoresByShadow).isPresent(),
                    of(name, versions).stream()
                        .map(version -> status(version, byName.get(name.job())))
                        .toList())));
    return all;
  }

  /** A model in the script of its job. */
  private record Declared(Recipe recipe, boolean scoresByShadow) {}

  private static List<ModelVersion> of(Name name, List<ModelVersion> versions) {
    return versions.stream()
        .filter(version -> version.job().equals(name.job()) && version.model().equals(name.model()))
        .toList();
  }

  private static ModelVersionStatus status(ModelVersion version, @Nullable Job job) {
    return new ModelVersionStatus(
        version.number(),
        version.atMillis(),
        job != null && version.isLive(job),
        job != null && version.isShadow(job),
        job != null && version.isRolledBack(job),
        version.live(),
        version.algorithm(),
        new TreeMap<>(version.metrics()),
        fitted(version).parameters(version.features()),
        new TreeMap<>(version.rows()),
        new TreeMap<>(version.sentBytes()),
        version.leftOut(),
        version.firstMillis(),
        version.lastMillis(),
        version.file().sha256(),
        version.file().bytes(),
        version.notes());
  }

  private static FittedModel fitted(ModelVersion version) {
    return FittedModel.of(
        Algorithm.ofText(version.algorithm()), version.features().size(), version.numbers());
  }

  /** See {@link io.sedge.site.api.SiteControl#startTraining}. */
  void start(String job, String model) throws SiteException {
    Job known = known(job);
    if (known.state() != JobState.RUNNING) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "job %s is %s; a model is trained while its job runs".formatted(job, known.state()));
    }
    var _ = training(known, model);
    Name name = new Name(job, model);
    TrainingStatus fresh = new TrainingStatus(true, "waits for its turn", 0, "");
    TrainingStatus before = trainings.get(name);
    boolean begun =
        before == null
            ? trainings.putIfAbsent(name, fresh) == null
            : !before.running() && trainings.replace(name, before, fresh);
    if (!begun) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "model %s of job %s is being trained by this device already".formatted(model, job));
    }
    try {
      queue.execute(() -> run(name));
    } catch (RejectedExecutionException e) {
      trainings.remove(name);
      throw new SiteException(FailureCode.NOT_NOW, "this device is being stopped", e);
    }
  }

  private io.sedge.sql.Job.Training training(Job job, String model) throws SiteException {
    List<io.sedge.sql.Job.Training> all = node.awaited(job).trainings();
    return all.stream()
        .filter(training -> training.model().name().equals(model))
        .findFirst()
        .orElseThrow(
            () ->
                new SiteException(
                    FailureCode.UNKNOWN_NAME,
                    "job %s has no model %s that the site trains; it has: %s"
                        .formatted(
                            job.name(),
                            model,
                            Printable.list(
                                all.stream().map(training -> training.model().name()).toList()))));
  }

  /** See {@link io.sedge.site.api.SiteControl#training}. */
  TrainingStatus training(String job, String model) throws SiteException {
    TrainingStatus status = trainings.get(new Name(job, model));
    if (status == null) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "this device has not begun to train model %s of job %s".formatted(model, job));
    }
    return status;
  }

  /** The boundary of the training's thread. */
  private void run(Name name) {
    TrainingStatus end;
    try {
      end = train(name);
      node.log()
          .add(
              Severity.INFO,
              "",
              "model %s of job %s: version %d is trained; %s"
                  .formatted(name.model(), name.job(), end.version(), end.doing()));
    } catch (TrainingException | SiteException | ConnectorException | IOException e) {
      end = failed(name, String.valueOf(e.getMessage()));
    } catch (InterruptedException _) {
      end = failed(name, "this device is being stopped");
    } catch (RuntimeException | Error e) {
      end = failed(name, "a fault in Sedge: " + e);
    }
    trainings.put(name, end);
  }

  private TrainingStatus failed(Name name, String why) {
    node.log()
        .add(
            Severity.WARNING,
            "",
            "model %s of job %s was not trained: %s".formatted(name.model(), name.job(), why));
    return new TrainingStatus(false, "", 0, why);
  }

  private TrainingStatus train(Name name)
      throws TrainingException, SiteException, IOException, InterruptedException {
    Job job = known(name.job());
    Recipe recipe = Recipe.of(training(job, name.model()).model());
    SiteTraining.Progress progress =
        doing -> {
          checkUnchanged(job);
          trainings.put(name, new TrainingStatus(true, doing, 0, ""));
        };
    Optional<ModelVersion> before = PromotionGate.before(job, versions(name), recipe.promotion());
    Optional<FittedModel> comparable =
        before
            .filter(version -> SiteNode.what(version).equals(recipe.what()))
            .map(ModelDesk::fitted);
    List<String> up = new ArrayList<>();
    List<String> away = new ArrayList<>();
    for (Device device : membership.devices()) {
      (node.isUp(device) ? up : away).add(device.name());
    }
    SiteTraining.Outcome outcome =
        new SiteTraining(name.job(), name.model(), recipe, peers, progress).train(up, comparable);
    List<String> notes = new ArrayList<>(outcome.notes());
    away.forEach(device -> notes.add("without %s: it is not up".formatted(device)));
    Stage wanted = PromotionGate.stage(job, recipe.promotion(), outcome, before, notes);
    progress.accept("keeps the version");
    long number = add(name, recipe, outcome, notes);
    ModelVersion version = version(name.job(), name.model(), number);
    Stage stage = Stage.of(version, job);
    if (wanted.compareTo(stage) > 0 && version.isRolledBack(job)) {
      return new TrainingStatus(
          false, "it came out again; it was rolled back and gets no stage by itself", number, "");
    }
    if (wanted.compareTo(stage) > 0) {
      return promoted(name, wanted, number, progress);
    }
    String text = stage == Stage.CANDIDATE ? "it is %s" : "it came out again and stays %s";
    return new TrainingStatus(false, text.formatted(stage.text()), number, "");
  }

  /** A job that was replaced may have another model by now, or another version that is live. */
  private void checkUnchanged(Job job) throws TrainingException {
    boolean same =
        member
            .read(state -> state.job(job.name()))
            .filter(now -> now.version() == job.version())
            .isPresent();
    if (!same) {
      throw new TrainingException(
          "job %s was replaced or removed meanwhile; train again".formatted(job.name()));
    }
  }

  /** One that cannot be given its stage now stays what it is. */
  private TrainingStatus promoted(
      Name name, Stage wanted, long number, SiteTraining.Progress progress)
      throws TrainingException {
    progress.accept("makes version %d %s".formatted(number, wanted.text()));
    try {
      if (wanted == Stage.LIVE) {
        promote(name.job(), name.model(), number);
      } else {
        shadow(name.job(), name.model(), number);
      }
      return new TrainingStatus(false, "it is " + wanted.text(), number, "");
    } catch (SiteException e) {
      return new TrainingStatus(
          false,
          "it is a candidate, as it could not be made %s: %s"
              .formatted(wanted.text(), e.getMessage()),
          number,
          "");
    }
  }

  private long add(Name name, Recipe recipe, SiteTraining.Outcome outcome, List<String> notes)
      throws SiteException, IOException {
    FittedModel model = outcome.trained().model();
    JobFile file = file(name, OnnxFile.of(outcome.trained(), recipe.outputs()));
    scripts.give(name.job(), List.of(file));
    Map<String, Long> rows = new TreeMap<>();
    outcome.gathered().forEach((device, reply) -> rows.put(device, reply.rows()));
    ModelVersion version =
        new ModelVersion(
            name.job(),
            name.model(),
            0,
            clock.millis(),
            file,
            recipe.algorithm().text(),
            recipe.features(),
            recipe.label().orElse(""),
            model.numbers(),
            outcome.trained().metrics().values(),
            rows,
            outcome.sentBytes(),
            outcome.gathered().values().stream().mapToLong(TrainingReply::leftOut).sum(),
            outcome.gathered().values().stream()
                .mapToLong(TrainingReply::firstMillis)
                .min()
                .orElse(Long.MAX_VALUE),
            outcome.gathered().values().stream()
                .mapToLong(TrainingReply::lastMillis)
                .max()
                .orElse(Long.MIN_VALUE),
            text(notes),
            0);
    return membership.submitForValue(
        new Command.AddModelVersion(version),
        "keeping a version of model %s of job %s".formatted(name.model(), name.job()));
  }

  /** Takes the file of a version among those of jobs. */
  private JobFile file(Name name, byte[] onnx) throws IOException {
    Path file = Files.createTempFile("sedge-model", ".onnx");
    try {
      Files.write(file, onnx);
      return keeper.takeVersion(name.model(), file.toRealPath());
    } finally {
      Files.delete(file);
    }
  }

  private static String text(List<String> notes) {
    String text = String.join("\n", notes);
    return text.length() <= Command.MAX_TEXT_BYTES
        ? text
        : text.substring(0, Command.MAX_TEXT_BYTES - CUT.length()) + CUT;
  }

  /** See {@link io.sedge.site.api.SiteControl#promoteModel}. */
  void promote(String job, String model, long number) throws SiteException {
    Job known = known(job);
    ModelVersion version = version(job, model, number);
    if (version.isLive(known)) {
      return;
    }
    PromotionGate.checkFits(known, training(known, model).model(), version);
    replacing.score(known, model, version.file());
  }

  /** See {@link io.sedge.site.api.SiteControl#shadowModel}. */
  void shadow(String job, String model, long number) throws SiteException {
    Job known = known(job);
    if (number == 0) {
      if (versions(new Name(job, model)).isEmpty()) {
        var _ = training(known, model);
      }
      if (known.files().stream().anyMatch(file -> file.isShadowOf(model))) {
        replacing.shadow(known, model, Optional.empty());
      }
      return;
    }
    ModelVersion version = version(job, model, number);
    if (version.isShadow(known)) {
      return;
    }
    PromotionGate.checkShadow(known, version, member.read(SiteState::format));
    PromotionGate.checkFits(known, training(known, model).model(), version);
    replacing.shadow(known, model, Optional.of(version.file()));
  }

  private List<ModelVersion> versions(Name name) {
    return of(name, member.read(SiteState::models));
  }

  private ModelVersion version(String job, String model, long number) throws SiteException {
    List<ModelVersion> versions = versions(new Name(job, model));
    return versions.stream()
        .filter(version -> version.number() == number)
        .findFirst()
        .orElseThrow(
            () ->
                new SiteException(
                    FailureCode.UNKNOWN_NAME,
                    "model %s of job %s has no version %d; it has: %s"
                        .formatted(
                            model,
                            job,
                            number,
                            Printable.list(versions.stream().map(ModelVersion::number).toList()))));
  }

  /** See {@link io.sedge.site.api.SiteControl#exportModel}. */
  byte[] export(String job, String model, long number) throws SiteException {
    ModelVersion version = version(job, model, number);
    try {
      return Files.readAllBytes(keeper.version(model, version.file()));
    } catch (IOException | ConnectorException e) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "version %d of model %s cannot be read here: %s".formatted(number, model, e.getMessage()),
          e);
    }
  }

  private Job known(String name) throws SiteException {
    return member
        .read(state -> state.job(name))
        .orElseThrow(
            () ->
                new SiteException(
                    FailureCode.UNKNOWN_NAME, "there is no job called %s".formatted(name)));
  }

  @Override
  public List<TrainingSchedule.Due> all() {
    if (!membership.isLeader()) {
      return List.of();
    }
    List<ModelVersion> versions = member.read(SiteState::models);
    List<TrainingSchedule.Due> due = new ArrayList<>();
    for (Job job : member.read(SiteState::jobs)) {
      Optional<io.sedge.sql.Job> compiled =
          job.state() == JobState.RUNNING ? node.compiled(job) : Optional.empty();
      for (io.sedge.sql.Job known : compiled.stream().toList()) {
        for (io.sedge.sql.Job.Training training : known.trainings()) {
          Name name = new Name(job.name(), training.model().name());
          long trained =
              of(name, versions).stream().mapToLong(ModelVersion::atMillis).max().orElse(0);
          Recipe.of(training.model())
              .every()
              .ifPresent(
                  every ->
                      due.add(new TrainingSchedule.Due(name.job(), name.model(), every, trained)));
        }
      }
    }
    return due;
  }

  @Override
  public void begin(TrainingSchedule.Due due) throws SiteException {
    TrainingStatus status = trainings.get(new Name(due.job(), due.model()));
    if (status == null || !status.running()) {
      start(due.job(), due.model());
    }
  }

  /** Ends the training that runs, and begins none any more. */
  @Override
  public void close() {
    var _ = queue.shutdownNow();
    try {
      if (!queue.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
        node.log().add(Severity.WARNING, "", "a training has not ended within " + CLOSING);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
