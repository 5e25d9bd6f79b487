package io.sedge.flink;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process that runs scripts on Flink, one after another. One thread. */
final class Flink implements AutoCloseable {
  private static final List<String> OPENED =
      List.of("java.util", "java.lang", "java.time", "java.nio", "sun.nio.ch");

  private final Process process;
  private final DataOutputStream requests;
  private final DataInputStream answers;

  Flink() throws IOException {
    String flinkJars = Files.readString(Path.of("target", "flink.classpath")).strip();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    for (String opened : OPENED) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", Path.of("target", "classes") + File.pathSeparator + flinkJars));
    command.add(FlinkProcess.class.getName());
    process =
        new ProcessBuilder(command).redirectError(Path.of("target", "flink.log").toFile()).start();
    requests = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    answers = new DataInputStream(new BufferedInputStream(process.getInputStream()));
  }

  /**
   * Runs a script in streaming mode.
   *
   * @return for each query its rows, each the change and then the values
   * @throws FlinkFailure if Flink refuses it or fails
   */
  List<List<List<@Nullable Object>>> stream(String script) throws IOException {
    return run('S', script);
  }

  /** Runs a script in batch mode. */
  List<List<List<@Nullable Object>>> batch(String script) throws IOException {
    return run('B', script);
  }

  @SuppressWarnings("unchecked") // the process answers with lists of lists of lists
  private List<List<List<@Nullable Object>>> run(char mode, String script) throws IOException {
    requests.writeByte(mode);
    Wire.writeText(script, requests);
    requests.flush();
    if (answers.readByte() == 'E') {
      throw new FlinkFailure(Wire.text(answers));
    }
    Object results = Wire.read(answers);
    if (results == null) {
      throw new IOException("no results");
    }
    return (List<List<List<@Nullable Object>>>) results;
  }

  @Override
  public void close() {
    process.destroy();
  }

  /** Flink refused a script or failed in it. */
  static final class FlinkFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    FlinkFailure(String message) {
      super(message);
    }
  }
}
