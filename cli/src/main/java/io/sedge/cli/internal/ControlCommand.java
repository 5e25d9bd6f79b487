package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.JobException;
import io.sedge.site.SiteControl;
import io.sedge.site.SiteException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that asks a device that runs on this machine. */
abstract class ControlCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private final DataDirectory data = new DataDirectory();

  @Option(
      names = "--output",
      paramLabel = "FORM",
      order = 91,
      defaultValue = "text",
      description = "How answers are shown: ${COMPLETION-CANDIDATES}.")
  private AnswerFormat output = AnswerFormat.text;

  ControlCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException, ScriptRefusedException, InterruptedException {
    try (DeviceConnection site = DeviceConnection.to(data.path(surroundings))) {
      ask(site, new Answers(surroundings.out()));
    } catch (JobException e) {
      throw new SiteException(e.code(), String.valueOf(e.getMessage()), e);
    }
    return 0;
  }

  /**
   * A command that does something to one thing of a site.
   *
   * @param header what it does, for its help
   * @param done what is said when it is done, of the thing's name
   */
  record Action(String name, String header, String done, Deed deed) {}

  /** What is done. */
  @FunctionalInterface
  interface Deed {
    void on(SiteControl site, String name) throws SiteException;
  }

  /**
   * Adds such a command.
   *
   * @param example of the thing's name
   */
  static void add(CommandLine group, ControlCommand command, Action action, String example) {
    CommandLine line = new CommandLine(command);
    line.getCommandSpec()
        .usageMessage()
        .header(action.header())
        .footer(
            "Example:",
            "  sedge %s %s %s".formatted(group.getCommandName(), action.name(), example));
    group.addSubcommand(action.name(), line);
  }

  abstract void ask(DeviceConnection site, Answers answers)
      throws SiteException, ScriptRefusedException, JobException, InterruptedException;

  Surroundings surroundings() {
    return surroundings;
  }

  boolean wantsJson() {
    return output == AnswerFormat.json;
  }

  /** Something that takes a while begins; only in a terminal. */
  void progress(String doing) {
    if (surroundings.errIsTerminal()) {
      surroundings.err().println("sedge: " + doing + " ...");
    }
  }

  /** It was done: a line for people, an object for programs. */
  void done(Answers answers, String what, Map<String, ?> object) {
    if (wantsJson()) {
      answers.json(object);
    } else {
      surroundings.err().println("sedge: " + what);
    }
  }
}
