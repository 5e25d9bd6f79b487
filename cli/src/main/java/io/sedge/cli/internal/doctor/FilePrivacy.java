package io.sedge.cli.internal.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;

/** Whether what a file or a directory holds is for its owner alone. */
public final class FilePrivacy {
  private FilePrivacy() {}

  /** Whether other users may do anything with it; never where files have no such permissions. */
  public static boolean isOpenToOthers(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    return view != null
        && view.readAttributes().permissions().stream()
            .anyMatch(permission -> !permission.name().startsWith("OWNER"));
  }
}
