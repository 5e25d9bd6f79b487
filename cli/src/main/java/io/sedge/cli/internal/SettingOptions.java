package io.sedge.cli.internal;

import io.sedge.sql.SqlCompiler;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Settings that hold instead of those of a script. */
final class SettingOptions {
  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set this instead of what the script SETs; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** As they were given; a setting that no script could have is refused. */
  Map<String, String> settings() throws JobException {
    Optional<String> refusal = SqlCompiler.refusal(settings);
    if (refusal.isPresent()) {
      throw new JobException(FailureCode.USAGE, "--set: " + refusal.get());
    }
    return settings;
  }
}
