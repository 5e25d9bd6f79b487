package io.sedge.connector.modbus.internal;

import io.sedge.connector.Awaited;
import io.sedge.connector.command.CommandQueue;
import io.sedge.connector.command.CommandWriter;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes commands one after the other, in the loop's thread. What the far end does not answer is
 * tried again, with growing pauses, until it is answered or too old; what it refuses, or does not
 * keep, is put among the refusals. So each command is written once or more, or refused and said.
 *
 * <p>The methods that are not private may be called from any thread.
 */
final class RegisterWriter implements CommandWriter {
  private final ModbusSinkFactory.Settings settings;
  private final Loop loop;
  private final CommandQueue<RegisterCommand> queue;

  // What follows belongs to the loop's thread.
  private @Nullable Link link;
  private int connection;
  private @Nullable RegisterCommand current;
  private boolean pausing;
  private int failures;

  /** Which request of the current command is not done yet; those before it are. */
  private int index;

  /** Whether that one's write was answered, so that it is only to be read back. */
  private boolean isWritten;

  /** Whether it was sent and may have been written, or not kept as it was. */
  private boolean isUncertain;

  private int rewrites;

  /**
   * @param wakeUp run when it has failed
   */
  RegisterWriter(
      String table,
      ModbusSinkFactory.Settings settings,
      CommandQueue<RegisterCommand> queue,
      Runnable wakeUp) {
    this.settings = settings;
    this.queue = queue;
    this.loop = new Loop(table, settings.link(), wakeUp);
  }

  @Override
  public @Nullable Throwable failure() {
    return loop.failure();
  }

  @Override
  public void added() {
    loop.execute(this::begin);
  }

  private void begin() {
    if (current == null) {
      next();
    }
  }

  private void next() {
    RegisterCommand command = firstToWrite();
    current = command;
    beginRequest(0);
    if (command != null) {
      attempt(command);
    }
  }

  private void beginRequest(int newIndex) {
    index = newIndex;
    isWritten = false;
    isUncertain = false;
    rewrites = 0;
  }

  /** The first command that has anything to write and may be; those before it are through. */
  private @Nullable RegisterCommand firstToWrite() {
    RegisterCommand command = queue.first();
    while (command != null && (command.writes().isEmpty() || queue.isOld(command))) {
      if (!command.writes().isEmpty()) {
        queue.refuse(command, queue.age(command), true);
      }
      queue.finish(command);
      command = queue.first();
    }
    return command;
  }

  /** Goes on with a command at the request that is not done yet. */
  private void attempt(RegisterCommand command) {
    pausing = false;
    if (refusesOld(command)) {
      return;
    }
    if (link != null) {
      proceed(command);
      return;
    }
    int made = ++connection;
    loop.connect(
        settings.endpoint(),
        () -> {
          if (made == connection) {
            lost();
          }
        },
        (connected, why) -> {
          if (made != connection) {
            if (connected != null) {
              connected.close();
            }
          } else if (connected == null) {
            retry(command, why);
          } else {
            link = connected;
            proceed(command);
          }
        });
  }

  private void lost() {
    isUncertain |= link != null && !pausing;
    disconnect();
    if (current != null && !pausing) {
      retry(current, "the connection was lost");
    }
  }

  private void proceed(RegisterCommand command) {
    if (isWritten) {
      readBack(command);
    } else {
      write(command);
    }
  }

  /** Refuses a command that has become too old; whether it has. */
  private boolean refusesOld(RegisterCommand command) {
    if (!queue.isOld(command)) {
      return false;
    }
    Span span = command.writes().get(index).span();
    if (isWritten) {
      refuse(
          command,
          "%s was written, but not read back in time: %s".formatted(span, queue.age(command)),
          true);
    } else if (isUncertain) {
      refuse(
          command,
          "%s was sent, but not confirmed, and is not sent again: %s"
              .formatted(span, queue.age(command)),
          true);
    } else {
      refuse(command, queue.age(command), true);
    }
    return true;
  }

  private void write(RegisterCommand command) {
    Link used = link;
    if (used == null || refusesOld(command)) {
      return;
    }
    RegisterCommand.Write write = command.writes().get(index);
    int of = connection;
    used.write(
        command.unit(),
        write.span(),
        write.values(),
        outcome -> {
          if (of == connection) {
            if (!(outcome instanceof Outcome.Answered)) {
              notWritten(command, write, outcome);
            } else if (settings.readBack()) {
              isWritten = true;
              readBack(command);
            } else {
              written(command);
            }
          }
        });
  }

  private void readBack(RegisterCommand command) {
    Link used = link;
    if (used == null) {
      return;
    }
    RegisterCommand.Write write = command.writes().get(index);
    int of = connection;
    used.read(
        command.unit(),
        write.span(),
        outcome -> {
          if (of == connection) {
            if (!(outcome instanceof Outcome.Answered(byte[] values))) {
              notReadBack(command, write, outcome);
            } else if (write.isReadAs(values)) {
              written(command);
            } else if (rewrites++ < settings.maxRetries()) {
              isWritten = false;
              isUncertain = true;
              write(command);
            } else {
              refuse(
                  command,
                  "%s was written %d times and is still read back as something else"
                      .formatted(write.span(), rewrites));
            }
          }
        });
  }

  private void written(RegisterCommand command) {
    boolean more = index + 1 < command.writes().size();
    failures = 0;
    queue.written(command.writes().get(index).values().length);
    if (!more) {
      queue.finish(command);
      if (settings.readBack()) {
        command.awaited().ifPresent(Awaited::confirmed);
      }
    }
    queue.works(settings.endpoint().name());
    if (more) {
      beginRequest(index + 1);
      write(command);
    } else {
      next();
    }
  }

  private void notWritten(RegisterCommand command, RegisterCommand.Write write, Outcome outcome) {
    isUncertain |= !(outcome instanceof Outcome.Refused(int code) && code == Outcome.Refused.BUSY);
    switch (outcome) {
      case Outcome.Refused refused when !refused.passes() ->
          refuse(command, "%s is answered with %s".formatted(write.span(), refused));
      case Outcome.Refused refused -> retry(command, refused.toString());
      case Outcome.Garbled(byte[] values, String why) -> {
        // Noise passes; a device that answers with something else may always do so.
        if (values.length == 0 || rewrites++ < settings.maxRetries()) {
          retryAnew(command, why);
        } else {
          refuse(command, "%s was written %d times: %s".formatted(write.span(), rewrites, why));
        }
      }
      case Outcome.Lost(String why) -> retryAnew(command, why);
      case Outcome.NoAnswer _ -> retryAnew(command, "no answer");
      case Outcome.Answered _ -> throw new IllegalStateException("an answer is no failure");
    }
  }

  /** The write was answered, so only reading is tried again. */
  private void notReadBack(RegisterCommand command, RegisterCommand.Write write, Outcome outcome) {
    String reading = "%s was written; reading it back: %s";
    switch (outcome) {
      case Outcome.Refused refused when !refused.passes() ->
          refuse(command, reading.formatted(write.span(), refused));
      case Outcome.Refused refused -> retry(command, reading.formatted(write.span(), refused));
      case Outcome.Garbled(byte[] _, String why) ->
          retryAnew(command, reading.formatted(write.span(), why));
      case Outcome.Lost(String why) -> retryAnew(command, reading.formatted(write.span(), why));
      case Outcome.NoAnswer _ -> retryAnew(command, reading.formatted(write.span(), "no answer"));
      case Outcome.Answered _ -> throw new IllegalStateException("an answer is no failure");
    }
  }

  private void refuse(RegisterCommand command, String why) {
    refuse(command, why, false);
  }

  /** Refuses a command, and says what of it was written by the requests before this one. */
  private void refuse(RegisterCommand command, String why, boolean isLate) {
    String before =
        command.writes().subList(0, index).stream()
            .flatMap(write -> write.columns().stream())
            .map("`%s`"::formatted)
            .collect(Collectors.joining(", "));
    String whole = before.isEmpty() ? why : "%s; written before: %s".formatted(why, before);
    queue.refuse(command, whole, isLate);
    queue.finish(command);
    next();
  }

  private void retryAnew(RegisterCommand command, String why) {
    disconnect();
    retry(command, why);
  }

  private void retry(RegisterCommand command, String why) {
    queue.stuck("%s unit %d".formatted(settings.endpoint().name(), command.unit()), why);
    pausing = true;
    loop.schedule(() -> attempt(command), settings.link().pauses().delay(++failures).toNanos());
  }

  private void disconnect() {
    connection++;
    if (link != null) {
      link.close();
      link = null;
    }
  }

  /**
   * Writes what waits, as long as the far end answers and for the connection's time-out at most;
   * then ends the thread. What is left is said. May be called again.
   */
  @Override
  public void close() {
    var _ = queue.end(settings.link().connectTimeout(), () -> loop.failure() != null);
    loop.execute(this::disconnect);
    loop.close();
  }
}
