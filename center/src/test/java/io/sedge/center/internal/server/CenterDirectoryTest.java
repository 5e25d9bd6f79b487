package io.sedge.center.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which directories a center takes, and that it leaves others as they are. */
final class CenterDirectoryTest {
  private static final Set<PosixFilePermission> OPEN = PosixFilePermissions.fromString("rwxr-xr-x");

  @TempDir private Path directory;

  @Test
  void aDirectoryWithFilesOfOthersIsRefusedAndLeftAsItIs() throws IOException {
    Files.setPosixFilePermissions(directory, OPEN);
    Files.writeString(directory.resolve("pom.xml"), "");
    Files.createDirectory(directory.resolve("src"));
    assertThatThrownBy(() -> CenterDirectory.take(directory))
        .hasMessage(
            "it has files of others (pom.xml, src), and a center needs a directory of its own");
    assertThat(Files.getPosixFilePermissions(directory)).isEqualTo(OPEN);
    assertThat(directory).isDirectoryNotContaining("glob:**lock");
  }

  @Test
  void anEmptyOneIsTakenAgainAndAgainAndClosedToOthers() throws IOException {
    Files.setPosixFilePermissions(directory, OPEN);
    Files.createDirectory(directory.resolve("lost+found"));
    CenterDirectory.take(directory).close();
    Files.writeString(directory.resolve("a backup that a person has put there"), "");
    CenterDirectory.take(directory).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
  }

  /** The authority is put back by hand, before the database. */
  @Test
  void oneWithTheAuthorityOfABackupIsTaken() throws IOException {
    Files.createDirectory(directory.resolve("authority"));
    CenterDirectory.take(directory).close();
  }
}
