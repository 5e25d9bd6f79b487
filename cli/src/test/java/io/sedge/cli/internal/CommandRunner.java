package io.sedge.cli.internal;

import io.sedge.cli.internal.output.LiveTable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Runs commands in this process, with streams that keep what is written. */
final class CommandRunner {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> environment = new HashMap<>();
  private final CompletableFuture<Runnable> stop = new CompletableFuture<>();
  private final Path directory;
  private final List<String> questions = new CopyOnWriteArrayList<>();
  private Optional<String> typed = Optional.empty();
  private String input = "";
  private boolean terminal;
  private boolean interruptedAtOnce;
  private OutputStream target = out;
  private InstantSource clock = InstantSource.system();

  CommandRunner(Path directory) {
    this.directory = directory;
  }

  CommandRunner input(String text) {
    input = text;
    return this;
  }

  /** Standard input is a terminal, in which somebody types this when asked for a secret. */
  CommandRunner typing(String secret) {
    typed = Optional.of(secret);
    return this;
  }

  /** What was asked of who sits at the terminal. */
  List<String> questions() {
    return questions;
  }

  CommandRunner inTerminal() {
    terminal = true;
    return this;
  }

  /** A Ctrl-C comes as soon as the command would hear it. */
  CommandRunner interruptedAtOnce() {
    interruptedAtOnce = true;
    return this;
  }

  CommandRunner environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** The wall clock stands at a time. */
  CommandRunner at(Instant time) {
    clock = InstantSource.fixed(time);
    return this;
  }

  CommandRunner writingTo(OutputStream stream) {
    target = stream;
    return this;
  }

  int run(String... arguments) {
    return SedgeCommand.execute(surroundings(), arguments);
  }

  /** What a command sees that it runs. */
  Surroundings surroundings() {
    return new Surroundings(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        target,
        new PrintStream(err, true, StandardCharsets.UTF_8),
        terminal,
        terminal,
        environment,
        directory,
        () -> new LiveTable.Size(60, 12),
        clock,
        System::nanoTime,
        (command, _) -> {
          stop.complete(command);
          if (interruptedAtOnce) {
            command.run();
          }
        },
        question -> {
          questions.add(question);
          return typed;
        });
  }

  /** What a Ctrl-C does, as soon as the command runs. */
  void interrupt() {
    stop.join().run();
  }

  /** Whether a command has asked to be told of a Ctrl-C. */
  boolean hearsInterrupts() {
    return stop.isDone();
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
