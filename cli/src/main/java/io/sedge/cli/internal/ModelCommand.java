package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.ModelStatus;
import io.sedge.site.api.ModelVersionStatus;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command about one model that the site trains. */
abstract class ModelCommand extends ControlCommand {
  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "The model, as `sedge model list` names it.")
  private String name = "";

  @Option(
      names = "--job",
      paramLabel = "JOB",
      order = 1,
      description = "The job whose script declares it, where several have one of that name.")
  private @Nullable String job;

  ModelCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers)
      throws SiteException, JobException, InterruptedException {
    List<ModelStatus> all = site.models();
    List<ModelStatus> named =
        all.stream()
            .filter(model -> model.name().equals(name) && (job == null || model.job().equals(job)))
            .toList();
    if (named.size() > 1) {
      throw new SiteException(
          FailureCode.USAGE,
          "several jobs have a model %s: say which, --job %s"
              .formatted(
                  name,
                  String.join(" or --job ", named.stream().map(model -> model.job()).toList())));
    }
    if (named.isEmpty()) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "there is no model %s that the site trains%s; there are: %s"
              .formatted(
                  name,
                  job == null ? "" : " for job " + job,
                  Printable.list(all.stream().map(model -> model.name()).distinct().toList())));
    }
    ask(site, named.getFirst(), answers);
  }

  abstract void ask(DeviceConnection site, ModelStatus model, Answers answers)
      throws SiteException, JobException, InterruptedException;

  /**
   * A version of a model.
   *
   * @param number null for the live one
   */
  static ModelVersionStatus version(ModelStatus model, @Nullable Long number) throws SiteException {
    Optional<ModelVersionStatus> found =
        number == null
            ? model.live()
            : model.versions().stream().filter(each -> each.number() == number).findFirst();
    return found.orElseThrow(
        () ->
            new SiteException(
                FailureCode.UNKNOWN_NAME,
                "model %s has no %s; it has: %s"
                    .formatted(
                        model.name(),
                        number == null ? "live version: say which, --version" : "version " + number,
                        Printable.list(
                            model.versions().stream().map(ModelVersionStatus::number).toList()))));
  }
}
