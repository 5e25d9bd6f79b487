package io.sedge.cli.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The commands below one, of which only the one is made that a command line names: what runs for
 * months does not hold the options of all the others. Where it names none of them (help is asked
 * for, or a name is wrong) all are. One thread.
 */
final class Subcommands {
  private final String named;
  private final Map<String, Supplier<Object>> makers = new LinkedHashMap<>();

  /**
   * @param arguments the whole command line
   * @param depth how many words of it stand before the name of one of these
   */
  Subcommands(String[] arguments, int depth) {
    this.named = depth < arguments.length ? arguments[depth] : "";
  }

  /**
   * Adds one, after those before it.
   *
   * @param name as its annotation has it
   * @param maker gives a command, or a {@link CommandLine} with commands below it
   */
  Subcommands add(String name, Supplier<Object> maker) {
    makers.put(name, maker);
    return this;
  }

  /** The command with those below it that were made. */
  CommandLine below(Object command) {
    CommandLine commandLine = new CommandLine(command);
    Supplier<Object> one = makers.get(named);
    Map<String, Supplier<Object>> made = one == null ? makers : Map.of(named, one);
    made.forEach((name, maker) -> commandLine.addSubcommand(name, maker.get()));
    return commandLine;
  }
}
