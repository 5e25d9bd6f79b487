package io.sedge.cli.internal;

import io.sedge.sql.Job;
import io.sedge.sql.SecretReferences;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where {@code sedge run} has secrets from: a file, or else the environment. */
final class RunSecrets {
  private static final String PREFIX = "SEDGE_SECRET_";

  @Option(
      names = "--secrets-file",
      paramLabel = "FILE",
      description = {
        "A file of lines NAME=VALUE: the secrets that the script",
        "names. Only you may be able to read it (chmod 600).",
        "Others are taken from $$SEDGE_SECRET_NAME."
      })
  private @Nullable String file;

  /** The variable of the environment that has a secret: {@code SEDGE_SECRET_PLANT_MQTT}. */
  static String variable(String name) {
    return PREFIX + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  /**
   * The values of all secrets that a job names.
   *
   * @throws JobException USAGE if one is missing, or others can read the file
   */
  Secrets read(Job job, Surroundings surroundings) throws JobException {
    return read(SecretReferences.of(job).keySet(), surroundings);
  }

  /**
   * The values of secrets by their names, all of which are needed.
   *
   * @throws JobException USAGE if one is missing, or others can read the file
   */
  Secrets read(Set<String> names, Surroundings surroundings) throws JobException {
    Properties given =
        file == null
            ? new Properties()
            : SecretProperties.read("--secrets-file", file, surroundings);
    List<String> missing = new ArrayList<>();
    for (String name : names) {
      if (find(name, given, surroundings).isEmpty()) {
        missing.add(name);
      }
    }
    if (!missing.isEmpty()) {
      throw new JobException(
          FailureCode.USAGE,
          "the script names the secret %s, which has no value: put the line %s=VALUE into a file that only you can read and give it with --secrets-file, or set $%s"
              .formatted(missing.getFirst(), missing.getFirst(), variable(missing.getFirst())));
    }
    return name -> find(name, given, surroundings).orElseThrow();
  }

  private static Optional<String> find(String name, Properties given, Surroundings surroundings) {
    return Optional.ofNullable(given.getProperty(name))
        .or(() -> Optional.ofNullable(surroundings.environment().get(variable(name))))
        .filter(value -> !value.isEmpty());
  }
}
