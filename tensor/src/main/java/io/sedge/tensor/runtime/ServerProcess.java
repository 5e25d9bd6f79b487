package io.sedge.tensor.runtime;

import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A task of a cluster as a process of its own, which can be ended, unlike a {@link Server}. The
 * process is a JVM with the class path of this one; it ends when this process ends, however that
 * happens.
 *
 * <p>For any number of threads.
 */
public final class ServerProcess implements AutoCloseable {
  private static final int MOST_LOG_LINES = 200;

  private final ServerTask task;
  private final ServerProcessOptions options;
  private final Process process;
  private final CompletableFuture<String> target = new CompletableFuture<>();
  private final Deque<String> log = new ArrayDeque<>();

  private ServerProcess(ServerTask task, ServerProcessOptions options, Process process) {
    this.task = task;
    this.options = options;
    this.process = process;
  }

  /**
   * Starts a server with the default options, as {@link #start(ServerTask, ServerProcessOptions)}.
   */
  public static ServerProcess start(ServerTask task) {
    return start(task, ServerProcessOptions.defaults());
  }

  /**
   * Starts a server and waits until it serves.
   *
   * @throws TensorFlowStatusException if it does not: with TensorFlow's code if that refuses, with
   *     DEADLINE_EXCEEDED if it takes too long, with INTERNAL if the process ends; with the end of
   *     its log
   * @throws UncheckedIOException if there can be no process
   */
  public static ServerProcess start(ServerTask task, ServerProcessOptions options) {
    ServerProcess server = launch(task, options);
    try {
      server.awaitReady();
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
    return server;
  }

  /** Starts a server without waiting; {@link #awaitReady} waits. */
  public static ServerProcess launch(ServerTask task, ServerProcessOptions options) {
    List<String> command = new ArrayList<>();
    command.add(options.java().toString());
    command.addAll(options.jvmArguments());
    command.add("-cp");
    command.add(options.classPath());
    command.add(ServerMain.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(options.environment());
    try {
      ServerProcess server = new ServerProcess(task, options, builder.start());
      Thread.ofVirtual().name("log of " + task).start(server::readLog);
      server.sendTask();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("No process for " + task + ": " + e.getMessage(), e);
    }
  }

  private void sendTask() {
    byte[] definition = task.toServerDef().toByteArray();
    try {
      DataOutputStream out = new DataOutputStream(process.getOutputStream());
      out.writeInt(definition.length);
      out.write(definition);
      out.flush();
    } catch (IOException e) {
      // The process has ended; its log says why.
    }
  }

  private void readLog() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        take(line);
      }
    } catch (IOException e) {
      take("(the log broke off: " + e.getMessage() + ")");
    }
    target.completeExceptionally(
        new TensorFlowStatusException(
            StatusCode.INTERNAL,
            "The process of " + task + " ended; its log ends with: " + logTail()));
  }

  private void take(String line) {
    if (line.startsWith(ServerMain.READY)) {
      target.complete(line.substring(ServerMain.READY.length()));
    } else if (line.startsWith(ServerMain.FAILED)) {
      String[] codeAndMessage = line.substring(ServerMain.FAILED.length()).split(" ", 2);
      target.completeExceptionally(
          new TensorFlowStatusException(
              StatusCode.valueOf(codeAndMessage[0]), "Server " + task + ": " + codeAndMessage[1]));
    }
    synchronized (log) {
      if (log.size() == MOST_LOG_LINES) {
        log.removeFirst();
      }
      log.addLast(line);
    }
  }

  /** Waits until the server serves, as {@link #start} does. */
  public void awaitReady() {
    Duration limit = options.startLimit();
    try {
      target.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TensorFlowStatusException failure) {
        throw new TensorFlowStatusException(failure.code(), failure.description(), failure);
      }
      throw new IllegalStateException(e);
    } catch (TimeoutException e) {
      throw new TensorFlowStatusException(
          StatusCode.DEADLINE_EXCEEDED,
          "The server "
              + task
              + " does not serve after "
              + limit
              + "; its log ends with: "
              + logTail(),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TensorFlowStatusException(
          StatusCode.CANCELLED, "Interrupted while " + task + " started", e);
    }
  }

  /** Which task this is. */
  public ServerTask task() {
    return task;
  }

  /** Where sessions reach the server: {@code grpc://host:port}. */
  public String target() {
    awaitReady();
    return target.join();
  }

  /** The process. */
  public long pid() {
    return process.pid();
  }

  /** Whether the process lives. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The last lines that the process wrote. */
  public List<String> logTail() {
    synchronized (log) {
      return List.copyOf(log);
    }
  }

  /** Ends the process. Closing twice does nothing. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "ServerProcess(" + task + ", " + process.pid() + ")";
  }
}
