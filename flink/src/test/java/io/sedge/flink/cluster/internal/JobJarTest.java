package io.sedge.flink.cluster.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobJarTest {
  private static final int JAVA_11 = 55;

  @TempDir Path directory;

  @Test
  void itHasTheScriptAndTheJarsAndOthersCannotReadIt() throws IOException {
    Properties job = new Properties();
    job.setProperty("step.0.sql", "SELECT 'ü\n'");
    Path library = Files.writeString(directory.resolve("mine.jar"), "zip");
    Path file = JobJar.write(job, List.of(library));
    try (JarFile jar = new JarFile(file.toFile())) {
      Properties read = new Properties();
      try (InputStream script = jar.getInputStream(new JarEntry("sedge-job.properties"))) {
        read.load(new InputStreamReader(script, StandardCharsets.UTF_8));
      }
      assertThat(read).isEqualTo(job);
      assertThat(jar.getEntry("lib/0-mine.jar").getSize()).isEqualTo(3);
      assertThat(jar.getManifest().getMainAttributes().getValue("Main-Class"))
          .isEqualTo(JobJar.ENTRY);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    } finally {
      Files.delete(file);
    }
  }

  /** A class that is forgotten would be missed in the JobManager alone. */
  @Test
  void itHasAllClassesOfTheRunnerForJava11() throws Exception {
    Path file = JobJar.write(new Properties(), List.of());
    try (JarFile jar = new JarFile(file.toFile())) {
      List<String> packed =
          jar.stream()
              .map(JarEntry::getName)
              .filter(name -> name.endsWith(".class"))
              .sorted()
              .toList();
      assertThat(packed).isEqualTo(ofRunner());
      for (String name : packed) {
        try (DataInputStream bytes = new DataInputStream(jar.getInputStream(jar.getEntry(name)))) {
          var _ = bytes.readInt();
          var _ = bytes.readUnsignedShort();
          assertThat(bytes.readUnsignedShort()).as(name).isLessThanOrEqualTo(JAVA_11);
        }
      }
    } finally {
      Files.delete(file);
    }
  }

  private static List<String> ofRunner() throws Exception {
    String entry = JobJar.ENTRY.replace('.', '/');
    URL url = JobJarTest.class.getClassLoader().getResource(entry + ".class");
    if (url.getProtocol().equals("jar")) {
      try (FileSystem files = FileSystems.newFileSystem(url.toURI(), java.util.Map.of())) {
        return classes(files.getPath("/" + entry).getParent());
      }
    }
    return classes(Path.of(url.toURI()).getParent());
  }

  private static List<String> classes(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> "io/sedge/flink/runner/" + file.getFileName())
          .filter(name -> name.endsWith(".class") && !name.endsWith("package-info.class"))
          .sorted()
          .toList();
    }
  }
}
