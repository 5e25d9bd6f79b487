package io.sedge.replication.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link MemberProcess}, as a test holds it. */
public final class RunningMember {
  private final Process process;
  private final BufferedReader answers;
  private final OutputStream orders;
  private final String id;
  private final String site;

  private RunningMember(Process process) throws IOException {
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.orders = process.getOutputStream();
    String[] ready = read().split(" ", -1);
    this.id = ready[1];
    this.site = ready[2];
  }

  /** Starts one, and waits until it is ready. */
  public static RunningMember start(Path directory, String name, int port, String... mode)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                MemberProcess.class.getName(),
                directory.toString(),
                name,
                Integer.toString(port)));
    command.addAll(Arrays.asList(mode));
    return new RunningMember(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  public String id() {
    return id;
  }

  public String site() {
    return site;
  }

  private String read() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the member's process has ended");
    }
    return line;
  }

  public String ask(String order) throws IOException {
    orders.write((order + "\n").getBytes(StandardCharsets.UTF_8));
    orders.flush();
    return read();
  }

  public boolean leads() throws IOException {
    return ask("leads").equals("leads true");
  }

  /** As a loss of power, but for what the disk had not written. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor(10, TimeUnit.SECONDS);
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** SIGSTOP or SIGCONT. */
  public void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }
}
