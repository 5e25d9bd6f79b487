package io.sedge.flink.cluster.internal;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * The jar that goes to a cluster: the runner's classes, the script, and jars that it needs, in
 * {@code lib/}, where Flink looks for them.
 */
public final class JobJar {
  /** The class that the JobManager calls. */
  public static final String ENTRY = "io.sedge.flink.runner.ScriptRunner";

  private static final String SCRIPT = "sedge-job.properties";
  private static final List<String> CLASSES =
      List.of("io/sedge/flink/runner/ScriptRunner", "io/sedge/flink/runner/ScriptException");

  private JobJar() {}

  /**
   * Makes one that only its owner can read.
   *
   * @param job what the runner reads
   * @param libraries files of jars
   * @return a temporary file, the caller's to delete
   */
  public static Path write(Properties job, Collection<Path> libraries) throws IOException {
    Path file = Files.createTempFile("sedge-flink-", ".jar");
    file.toFile().deleteOnExit(); // Of a command that is ended meanwhile.
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, ENTRY);
    try (JarOutputStream jar =
        new JarOutputStream(new BufferedOutputStream(Files.newOutputStream(file)), manifest)) {
      for (String name : CLASSES) {
        put(jar, name + ".class");
      }
      jar.putNextEntry(new JarEntry(SCRIPT));
      Writer writer = new OutputStreamWriter(jar, StandardCharsets.UTF_8);
      job.store(writer, null);
      writer.flush();
      jar.closeEntry();
      int number = 0;
      for (Path library : libraries) {
        // Two directories may have a jar of one name.
        jar.putNextEntry(new JarEntry("lib/%d-%s".formatted(number++, library.getFileName())));
        Files.copy(library, jar);
        jar.closeEntry();
      }
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    return file;
  }

  private static void put(JarOutputStream jar, String name) throws IOException {
    try (InputStream bytes = JobJar.class.getClassLoader().getResourceAsStream(name)) {
      if (bytes == null) {
        throw new IOException("the program has no class " + name);
      }
      jar.putNextEntry(new JarEntry(name));
      bytes.transferTo(jar);
      jar.closeEntry();
    }
  }
}
