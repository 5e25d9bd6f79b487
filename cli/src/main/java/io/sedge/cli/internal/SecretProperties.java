package io.sedge.cli.internal;

import io.sedge.cli.internal.doctor.FilePrivacy;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A file of lines NAME=VALUE with secrets, which nobody but its owner may be able to read. */
final class SecretProperties {
  private SecretProperties() {}

  /**
   * Its lines.
   *
   * @param option that names it, for messages
   * @throws JobException USAGE if others can read it; FILE_NOT_READABLE
   */
  static Properties read(String option, String file, Surroundings surroundings)
      throws JobException {
    Path path = surroundings.directory().resolve(file);
    try {
      if (FilePrivacy.isOpenToOthers(path)) {
        throw new JobException(
            FailureCode.USAGE,
            "%s=%s can be read by other users of this machine: type `chmod 600 %s` first, and change the secrets if others may have read them"
                .formatted(option, file, file));
      }
      Properties given = new Once();
      try (Reader reader = Files.newBufferedReader(path)) {
        given.load(reader);
      }
      return given;
    } catch (NoSuchFileException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE,
          "%s=%s cannot be read: there is no such file".formatted(option, file),
          e);
    } catch (AccessDeniedException e) {
      String user = System.getProperty("user.name", "");
      throw new JobException(
          FailureCode.FILE_NOT_READABLE,
          "%s=%s cannot be read: the user %s, as whom this runs, may not; type `chown %s %s` as an administrator"
              .formatted(option, file, user, user, file),
          e);
    } catch (IllegalStateException e) {
      throw new JobException(
          FailureCode.USAGE, "%s=%s: %s".formatted(option, file, e.getMessage()), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new JobException(
          FailureCode.FILE_NOT_READABLE,
          "%s=%s cannot be read: it is no file of lines NAME=VALUE in UTF-8 (%s)"
              .formatted(option, file, e.getClass().getSimpleName()),
          e);
    }
  }

  /** Refuses a name that comes again: nobody would see which value counts. */
  private static final class Once extends Properties {
    private static final long serialVersionUID = 1;

    @Override
    public synchronized @Nullable Object put(Object name, Object value) {
      if (containsKey(name)) {
        throw new IllegalStateException(name + " stands there twice: leave one of them");
      }
      return super.put(name, value);
    }
  }
}
