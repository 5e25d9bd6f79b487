package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.ModelStatus;
import io.sedge.site.api.ModelVersionStatus;
import io.sedge.site.api.SiteDrifts;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.TrainingStatus;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands below {@code sedge model}. */
final class ModelCommands {
  private static final long LOOK_MILLIS = 300;

  private ModelCommands() {}

  /** All of them. */
  static CommandLine line(Surroundings surroundings) {
    CommandLine models = new CommandLine(new GroupCommand.OfModels(surroundings));
    models.addSubcommand(new ListModels(surroundings));
    models.addSubcommand(new Show(surroundings));
    models.addSubcommand(new Train(surroundings));
    models.addSubcommand(new Shadow(surroundings));
    models.addSubcommand(new Promote(surroundings));
    models.addSubcommand(new Rollback(surroundings));
    models.addSubcommand(new Export(surroundings));
    return models;
  }

  /** Says so if no query takes the scores of a model's shadow, as far as the device knows. */
  private static void remarkUnusedShadow(Surroundings surroundings, ModelStatus model) {
    if (!model.algorithm().isEmpty() && !model.scoresByShadow()) {
      surroundings
          .err()
          .println(
              "sedge: no query of job %s takes the scores of the shadow of model %s: write MAP['version', 'shadow'] in ML_PREDICT or ML_EVALUATE (`sedge job submit --replace`)"
                  .formatted(model.job(), model.name()));
    }
  }

  @Command(
      name = "list",
      header = "Shows the models that the site trains.",
      footer = {"Example:", "  sedge model list"})
  private static final class ListModels extends ControlCommand {
    ListModels(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(DeviceConnection site, Answers answers) throws SiteException {
      List<ModelStatus> models = site.models();
      if (wantsJson()) {
        models.forEach(answers::json);
      } else if (models.isEmpty()) {
        surroundings()
            .err()
            .println("sedge: no job has a model with 'provider' = 'site', which the site trains");
      } else {
        answers.text(String.join("\n", ModelText.list(models)));
      }
    }
  }

  @Command(
      name = "show",
      header = "Shows the versions of a model, or all that is known of one.",
      footer = {
        "Examples:",
        "  sedge model show wear",
        "  sedge model show wear --version 3     its rows, what left each device, what it is"
      })
  private static final class Show extends ModelCommand {
    @Option(
        names = "--version",
        paramLabel = "N",
        order = 2,
        description = "All that is known of this version.")
    private @Nullable Long version;

    Show(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(DeviceConnection site, ModelStatus model, Answers answers) throws SiteException {
      if (version == null) {
        SiteDrifts known = drifts(site, model);
        if (wantsJson()) {
          answers.json(model);
          known.drifts().forEach(answers::json);
        } else {
          List<String> lines = new ArrayList<>(ModelText.versions(model));
          lines.addAll(ModelText.drifts(model, known.drifts()));
          answers.text(String.join("\n", lines));
        }
        if (model.shadow().isPresent()) {
          remarkUnusedShadow(surroundings(), model);
        }
        known
            .silent()
            .forEach(
                (device, why) ->
                    surroundings()
                        .err()
                        .println(
                            "sedge: what device %s knows of drift is not shown: %s"
                                .formatted(device, why)));
        return;
      }
      ModelVersionStatus found = version(model, version);
      if (wantsJson()) {
        answers.json(found);
      } else {
        answers.text(String.join("\n", ModelText.version(model, found)));
      }
    }

    /** Versions are shown also by a device that knows nothing of drift, as an older one. */
    private SiteDrifts drifts(DeviceConnection site, ModelStatus model) {
      try {
        SiteDrifts known = site.drifts(model.job());
        return new SiteDrifts(
            known.drifts().stream().filter(drift -> drift.model().equals(model.name())).toList(),
            known.silent());
      } catch (SiteException e) {
        surroundings()
            .err()
            .println(
                "sedge: the drift of model %s is not known: %s"
                    .formatted(model.name(), e.getMessage()));
        return new SiteDrifts(List.of(), new TreeMap<>());
      }
    }
  }

  @Command(
      name = "train",
      header = "Trains a model now, on all devices that are up, and waits for it.",
      description = {
        "Each device goes over the rows of its own history; sums leave it, rows do not. The first",
        "version is live at once, as is one that is better on the newest rows, which are held out.",
        "It is not if the script says 'train.promote' = 'shadow' or 'by-hand'. Ctrl-C ends the",
        "waiting, not the training."
      },
      footer = {"Example:", "  sedge model train wear"})
  private static final class Train extends ModelCommand {
    Train(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(DeviceConnection site, ModelStatus model, Answers answers)
        throws SiteException, InterruptedException {
      site.startTraining(model.job(), model.name());
      CountDownLatch stopped = new CountDownLatch(1);
      surroundings().interruptions().onInterrupt(stopped::countDown);
      String said = "";
      TrainingStatus status = site.training(model.job(), model.name());
      while (status.running()) {
        if (!status.doing().equals(said)) {
          said = status.doing();
          progress("model %s: %s".formatted(model.name(), said));
        }
        if (stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          throw new SiteException(
              FailureCode.NOT_NOW,
              "model %s is trained further; nobody waits for it any longer"
                  .formatted(model.name()));
        }
        status = site.training(model.job(), model.name());
      }
      if (!status.failure().isEmpty()) {
        throw new SiteException(
            FailureCode.NOT_NOW,
            "model %s was not trained: %s".formatted(model.name(), status.failure()));
      }
      done(
          answers,
          "model %s: version %d is trained; %s"
              .formatted(model.name(), status.version(), status.doing()),
          Map.of("model", model.name(), "job", model.job(), "version", status.version()));
    }
  }

  @Command(
      name = "shadow",
      header = "Has a version of a model score beside the live one.",
      description = {
        "Its scores are those of ML_PREDICT and ML_EVALUATE with MAP['version', 'shadow']; nothing",
        "else changes. `sedge model promote` without --version makes it live."
      },
      footer = {
        "Examples:",
        "  sedge model shadow wear --version 3",
        "  sedge model shadow wear --none"
      })
  private static final class Shadow extends ModelCommand {
    @Option(
        names = "--version",
        paramLabel = "N",
        order = 2,
        description = "The version, as `sedge model show` has it.")
    private @Nullable Long version;

    @Option(names = "--none", order = 3, description = "No version scores beside the live one.")
    private boolean none;

    Shadow(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(DeviceConnection site, ModelStatus model, Answers answers) throws SiteException {
      if (none == (version != null)) {
        throw new SiteException(
            FailureCode.USAGE,
            "say which version scores beside the live one, --version, or --none");
      }
      long number = version == null ? 0 : version(model, version).number();
      site.shadowModel(model.job(), model.name(), number);
      done(
          answers,
          number == 0
              ? "model %s has no shadow".formatted(model.name())
              : "model %s: version %d is the shadow".formatted(model.name(), number),
          Map.of("model", model.name(), "job", model.job(), "version", number));
      if (number > 0) {
        remarkUnusedShadow(surroundings(), model);
      }
    }
  }

  @Command(
      name = "promote",
      header = "Has the job score by a version of a model.",
      footer = {
        "Examples:",
        "  sedge model promote wear                 the shadow",
        "  sedge model promote wear --version 3"
      })
  private static final class Promote extends ModelCommand {
    @Option(
        names = "--version",
        paramLabel = "N",
        order = 2,
        description = "The version, as `sedge model show` has it (default: the shadow).")
    private @Nullable Long version;

    Promote(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(DeviceConnection site, ModelStatus model, Answers answers) throws SiteException {
      long number =
          version != null
              ? version
              : model
                  .shadow()
                  .orElseThrow(
                      () ->
                          new SiteException(
                              FailureCode.USAGE,
                              "model %s has no shadow: say which version, --version"
                                  .formatted(model.name())))
                  .number();
      site.promoteModel(model.job(), model.name(), number);
      done(
          answers,
          "model %s: version %d is live".formatted(model.name(), number),
          Map.of("model", model.name(), "job", model.job(), "version", number));
    }
  }

  @Command(
      name = "rollback",
      header = "Has the job score by the version of a model that was live before.",
      footer = {"Example:", "  sedge model rollback wear"})
  private static final class Rollback extends ModelCommand {
    Rollback(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(DeviceConnection site, ModelStatus model, Answers answers) throws SiteException {
      ModelVersionStatus before =
          model.versions().stream()
              .filter(version -> !version.live() && version.wasLive() > 0)
              .filter(version -> !version.rolledBack())
              .max(Comparator.comparingLong(ModelVersionStatus::wasLive))
              .orElseThrow(() -> nothingBefore(model));
      site.promoteModel(model.job(), model.name(), before.number());
      done(
          answers,
          "model %s: version %d is live again".formatted(model.name(), before.number()),
          Map.of("model", model.name(), "job", model.job(), "version", before.number()));
    }

    private static SiteException nothingBefore(ModelStatus model) {
      return new SiteException(
          FailureCode.NOT_NOW,
          model.versions().stream()
              .filter(ModelVersionStatus::rolledBack)
              .findFirst()
              .map(
                  version ->
                      "the site has rolled version %1$d of model %2$s back by itself, and no other was live: `sedge model promote %2$s --version %1$d` makes it live again"
                          .formatted(version.number(), model.name()))
              .orElse("no other version of model %s was ever live".formatted(model.name())));
    }
  }

  @Command(
      name = "export",
      header = "Writes a version of a model to an ONNX file, or a SavedModel of TensorFlow.",
      footer = {
        "Examples:",
        "  sedge model export wear wear.onnx",
        "  sedge model export wear wear --format saved-model"
      })
  private static final class Export extends ModelCommand {
    @Parameters(
        index = "1",
        paramLabel = "FILE",
        description = "Where; it must not be there. A SavedModel is a directory.")
    private Path file = Path.of("");

    @Option(
        names = "--version",
        paramLabel = "N",
        order = 2,
        description = "The version (default: the live one).")
    private @Nullable Long version;

    @Option(
        names = "--format",
        paramLabel = "FORM",
        order = 3,
        defaultValue = "onnx",
        description = "What is written: ${COMPLETION-CANDIDATES}.")
    private ModelFormat format = ModelFormat.ONNX;

    Export(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(DeviceConnection site, ModelStatus model, Answers answers)
        throws SiteException, JobException {
      ModelVersionStatus found = version(model, version);
      byte[] onnx = site.exportModel(model.job(), model.name(), found.number());
      Path place = surroundings().directory().resolve(file);
      try {
        format.write(onnx, place);
      } catch (FileAlreadyExistsException e) {
        throw new JobException(
            FailureCode.USAGE, "%s is there already: name another file".formatted(file), e);
      } catch (IOException e) {
        throw new JobException(
            FailureCode.FILE_NOT_READABLE, "%s cannot be written: %s".formatted(file, e), e);
      }
      done(
          answers,
          "%s has version %d of model %s".formatted(file, found.number(), model.name()),
          Map.of("file", place.toString(), "version", found.number(), "sha256", found.sha256()));
    }
  }
}
