package io.sedge.cli.internal.doctor;

import java.nio.file.Path;
import java.util.List;

/** The file systems of Linux, as {@code /proc/self/mounts} tells them (proc(5), fstab(5)). */
final class Mounts {
  private static final int PLACE = 1;
  private static final int OPTIONS = 3;
  private static final String NO_EXECUTION = "noexec";

  private Mounts() {}

  /**
   * Whether what is in a directory may be executed.
   *
   * @param mounts the file's text; a later line hides an earlier one of the same place
   * @param directory without symbolic links
   */
  static boolean executes(String mounts, Path directory) {
    return mounts
        .lines()
        .map(line -> line.split(" ", -1))
        .filter(parts -> parts.length > OPTIONS && isIn(directory.toString(), place(parts)))
        .reduce((one, later) -> place(later).length() >= place(one).length() ? later : one)
        .map(parts -> !List.of(parts[OPTIONS].split(",", -1)).contains(NO_EXECUTION))
        .orElse(true);
  }

  private static boolean isIn(String directory, String place) {
    return place.equals("/") || directory.equals(place) || directory.startsWith(place + "/");
  }

  private static String place(String[] parts) {
    return parts[PLACE].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }
}
