package io.sedge.learning.tensorflow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a killed process has left goes, and what another one uses stays, whatever the clock says.
 */
class OwnDirectoryTest {
  @TempDir private Path parent;

  /** Another process: holds a lock until its input ends. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        IO.println(lock.isValid());
        var _ = System.in.read();
      }
    }
  }

  private Path left(String name) throws IOException {
    Path directory = Files.createDirectory(parent.resolve(name));
    Files.writeString(directory.resolve("lock"), "");
    Path inner = Files.createDirectories(directory.resolve("content/variables"));
    Files.writeString(inner.resolve("x"), "x");
    return directory;
  }

  @Test
  void whatAKilledProcessHasLeftGoes() throws IOException {
    Path left = left("sedge-saved-model-1");
    Path empty = Files.createDirectory(parent.resolve("sedge-saved-model-2"));
    Path other = left("another-program");
    try (OwnDirectory mine = OwnDirectory.make(parent);
        OwnDirectory second = OwnDirectory.make(parent)) {
      assertThat(left).doesNotExist();
      assertThat(empty).doesNotExist();
      assertThat(other).exists();
      assertThat(mine.content().getParent()).exists().hasParent(parent.toRealPath());
      assertThat(second.content().getParent()).exists();
      assertThat(second.content()).isNotEqualTo(mine.content());
    }
    assertThat(parent).isDirectoryNotContaining(file -> file.toString().contains("saved-model"));
  }

  @Test
  void whatAnotherProcessUsesStays() throws IOException, InterruptedException {
    Path used = left("sedge-saved-model-1");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                used.resolve("lock").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("true");
    OwnDirectory.make(parent).close();
    assertThat(used.resolve("content/variables/x")).exists();
    process.outputWriter().close();
    assertThat(process.waitFor()).isZero();
    OwnDirectory.make(parent).close();
    assertThat(used).doesNotExist();
  }

  /** Whoever may change a directory can make a name in it lead elsewhere. */
  @Test
  void whatBelongsToSomebodyElseOrIsALinkStays() throws IOException {
    Path left = left("sedge-saved-model-1");
    UserPrincipal other =
        parent.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    OwnDirectory.removeLeftovers(parent, other);
    assertThat(left.resolve("content/variables/x")).exists();
    Path target = left("target");
    Path link = Files.createSymbolicLink(parent.resolve("sedge-saved-model-2"), target);
    Files.delete(left.resolve("lock"));
    Files.createSymbolicLink(left.resolve("lock"), target.resolve("lock"));
    OwnDirectory.make(parent).close();
    assertThat(link).exists();
    assertThat(target.resolve("content/variables/x")).exists();
  }
}
