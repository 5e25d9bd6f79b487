package io.sedge.cli.internal;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;

/** A file that an option names, whose text takes the place of what nobody should see typed. */
final class OptionFile {
  private OptionFile() {}

  /**
   * Its text.
   *
   * @param option that names it, for messages
   * @throws SiteException FILE_NOT_READABLE
   */
  static String read(String option, String file, Surroundings surroundings) throws SiteException {
    try {
      return Files.readString(surroundings.directory().resolve(file));
    } catch (NoSuchFileException e) {
      throw new SiteException(
          FailureCode.FILE_NOT_READABLE,
          "%s=%s cannot be read: there is no such file".formatted(option, file),
          e);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.FILE_NOT_READABLE, "%s=%s cannot be read: %s".formatted(option, file, e), e);
    }
  }
}
