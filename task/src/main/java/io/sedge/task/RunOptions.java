package io.sedge.task;

import io.sedge.connector.FileAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a job is run.
 *
 * @param directory what relative paths in the script's options are relative to
 * @param data where this device has what outlasts the process; need not be there
 * @param files which files its tables may read and write
 * @param secrets the values of those that its tables name
 * @param duration after how long the job is stopped, if its input does not end before
 * @param drainTimeout for how long a stopped job waits for its sinks to take and write what was
 *     read
 * @param closeTimeout for how long it then waits for all its tables to be closed, besides what is
 *     left of {@code drainTimeout}
 */
public record RunOptions(
    Path directory,
    Path data,
    FileAccess files,
    Secrets secrets,
    Optional<Duration> duration,
    Duration drainTimeout,
    Duration closeTimeout) {
  /**
   * For as long as it takes; when it is stopped, it has ended nine seconds later. What outlasts it
   * is in a directory {@code .sedge}.
   */
  public static RunOptions in(Path directory) {
    return new RunOptions(
        directory,
        directory.resolve(".sedge"),
        FileAccess.EVERYTHING,
        Secrets.NONE,
        Optional.empty(),
        Duration.ofSeconds(7),
        Duration.ofSeconds(2));
  }

  public RunOptions withDuration(Optional<Duration> newDuration) {
    return new RunOptions(directory, data, files, secrets, newDuration, drainTimeout, closeTimeout);
  }

  public RunOptions withData(Path newData) {
    return new RunOptions(directory, newData, files, secrets, duration, drainTimeout, closeTimeout);
  }

  public RunOptions withFiles(FileAccess access) {
    return new RunOptions(directory, data, access, secrets, duration, drainTimeout, closeTimeout);
  }

  public RunOptions withSecrets(Secrets values) {
    return new RunOptions(directory, data, files, values, duration, drainTimeout, closeTimeout);
  }
}
