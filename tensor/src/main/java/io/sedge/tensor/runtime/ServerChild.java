package io.sedge.tensor.runtime;

import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One process of a server, from its start to its end: {@link ServerMain} seen from outside. */
final class ServerChild {
  private static final Duration GOODBYE = Duration.ofSeconds(2);

  private final ServerTask task;
  private final BoundedLog log;
  private final Process process;
  private final CompletableFuture<String> target = new CompletableFuture<>();

  private ServerChild(ServerTask task, BoundedLog log, Process process) {
    this.task = task;
    this.log = log;
    this.process = process;
  }

  /** Starts the process; a thread of its own reads what it writes. */
  static ServerChild start(ServerTask task, ServerProcessOptions options, BoundedLog log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(options.java().toString());
    command.addAll(UserHome.arguments());
    command.addAll(options.jvmArguments());
    command.add(ServerMain.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("CLASSPATH", options.classPath());
    builder.environment().putAll(options.environment());
    ServerChild child = new ServerChild(task, log, builder.start());
    Thread.ofVirtual().name("log of " + task).start(child::readLog);
    child.sendTask();
    return child;
  }

  private void sendTask() {
    byte[] definition = task.toServerDef().toByteArray();
    try {
      DataOutputStream out = new DataOutputStream(process.getOutputStream());
      out.writeInt(definition.length);
      out.write(definition);
      out.flush();
    } catch (IOException e) {
      log.add("(the task was not taken: " + e.getMessage() + ")");
    }
  }

  private void readLog() {
    try (Reader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (@Nullable String line = BoundedLog.readLine(in);
          line != null;
          line = BoundedLog.readLine(in)) {
        log.add(line);
        understand(line);
      }
    } catch (IOException e) {
      log.add("(the log broke off: " + e.getMessage() + ")");
    }
    target.completeExceptionally(
        new TensorFlowStatusException(
            StatusCode.INTERNAL,
            "The process of " + task + " ended before it served; its log ends: " + log.end()));
  }

  private void understand(String line) {
    if (line.startsWith(ServerMain.READY)) {
      target.complete(line.substring(ServerMain.READY.length()));
    } else if (line.startsWith(ServerMain.FAILED)) {
      String[] codeAndMessage = line.substring(ServerMain.FAILED.length()).split(" ", 2);
      target.completeExceptionally(
          new TensorFlowStatusException(
              StatusCode.valueOf(codeAndMessage[0]), codeAndMessage[codeAndMessage.length - 1]));
    }
  }

  /** Where it serves, once it does; how it failed otherwise. */
  CompletableFuture<String> target() {
    return target;
  }

  Process process() {
    return process;
  }

  /** Waits for the end, and returns the exit code: 128 and the signal's number if one ended it. */
  int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  void kill() {
    process.destroyForcibly();
  }

  /**
   * Tells it to end, and makes it if it does not. Returns once it has, or the thread is
   * interrupted.
   */
  void end() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
    try {
      if (!process.waitFor(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
