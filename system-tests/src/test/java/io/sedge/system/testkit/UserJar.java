package io.sedge.system.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/** A jar with a class of a user's own. */
public final class UserJar {
  private static final String RELEASE = "17";

  private UserJar() {}

  /**
   * Compiles a class and makes a jar of it.
   *
   * @param name of the class, which is in no package
   * @param library what the class needs
   */
  public static void write(Path jar, String name, String source, Path library) {
    try {
      Path directory = Files.createTempDirectory(jar.getParent(), "classes-");
      Path file = Files.writeString(directory.resolve(name + ".java"), source);
      int failed =
          ToolProvider.getSystemJavaCompiler()
              .run(
                  null,
                  null,
                  null,
                  "-proc:none",
                  "--release",
                  RELEASE,
                  "-cp",
                  library.toString(),
                  file.toString());
      if (failed != 0) {
        throw new AssertionError("the class cannot be compiled: " + source);
      }
      try (OutputStream output = Files.newOutputStream(jar);
          JarOutputStream entries = new JarOutputStream(output)) {
        entries.putNextEntry(new JarEntry(name + ".class"));
        Files.copy(directory.resolve(name + ".class"), entries);
        entries.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
