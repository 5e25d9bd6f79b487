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
    command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
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
   * Runs queries, in one job.
   *
   * @param script statements before the queries
   * @return for each query what Flink answers
   */
  List<Answer> run(String script, List<String> queries) throws IOException {
    Wire.writeText(script, requests);
    Wire.write(queries, requests);
    requests.flush();
    if (!(Wire.read(answers) instanceof List<?> results)) {
      throw new IOException("no results; target/flink.log may say why");
    }
    return results.stream().map(Flink::answer).toList();
  }

  /**
   * Runs the join of a query alone.
   *
   * @param steps as for {@link FlinkJoin#run}
   */
  Answer join(String script, String query, List<String> steps) throws IOException {
    List<String> request = new ArrayList<>(List.of(query));
    request.addAll(steps);
    return run(FlinkJoin.REQUEST + script, request).getFirst();
  }

  @SuppressWarnings("unchecked") // the process answers with rows, which are lists
  private static Answer answer(Object result) {
    return result instanceof String messages
        ? new Answer.Failure(messages)
        : new Answer.Rows((List<List<@Nullable Object>>) result);
  }

  @Override
  public void close() {
    process.destroy();
  }
}
