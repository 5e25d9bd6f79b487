package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Style;
import io.sedge.site.FailureClass;
import io.sedge.site.FailureCode;
import io.sedge.site.JobException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what went wrong, on standard error: one message, with its class and code; a stack trace only
 * with {@code --debug} or {@code SEDGE_DEBUG}. The class gives the exit code.
 */
final class Failures
    implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {
  private final Surroundings surroundings;

  Failures(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public int handleExecutionException(
      Exception exception, CommandLine command, ParseResult parsed) {
    if (exception instanceof ScriptRefusedException refused) {
      surroundings
          .err()
          .print(
              new Problems(refused.script(), surroundings.coloursErr())
                  .text(refused.problems().problems()));
      return FailureClass.USER.exitCode();
    }
    JobException failure =
        exception instanceof JobException known
            ? known
            : JobException.of(
                "running `%s`".formatted(command.getCommandSpec().qualifiedName()), exception);
    say(String.valueOf(failure.getMessage()), failure.code());
    boolean debug = parsed.asCommandLineList().stream().anyMatch(Failures::asksForTraces);
    if (debug || !surroundings.environment().getOrDefault("SEDGE_DEBUG", "").isEmpty()) {
      failure.printStackTrace(surroundings.err());
    } else if (failure.code() == FailureCode.INTERNAL_ERROR) {
      surroundings.err().println("Run it again with --debug to see where.");
    }
    return failure.code().failureClass().exitCode();
  }

  private static boolean asksForTraces(CommandLine command) {
    return command.getCommand() instanceof CommandOptions options && options.debug();
  }

  @Override
  public int handleParseException(ParameterException exception, String[] args) {
    say(message(exception), FailureCode.USAGE);
    surroundings
        .err()
        .printf("See `%s --help`.%n", exception.getCommandLine().getCommandSpec().qualifiedName());
    return FailureClass.USER.exitCode();
  }

  private static String message(ParameterException exception) {
    if (!(exception instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(exception.getMessage());
    }
    String argument = unmatched.getUnmatched().getFirst();
    CommandLine command = unmatched.getCommandLine();
    boolean option = argument.startsWith("-");
    boolean atCommands = !command.getSubcommands().isEmpty();
    String what = option ? "option" : atCommands ? "command" : "argument";
    String suggestion =
        unmatched.getSuggestions().stream()
            .findFirst()
            .map("; did you mean `%s`?"::formatted)
            .orElse("");
    return "`%s` has no %s `%s`%s"
        .formatted(command.getCommandSpec().qualifiedName(), what, argument, suggestion);
  }

  private void say(String message, FailureCode code) {
    String label = Style.RED.on(surroundings.coloursErr(), "error:");
    surroundings.err().printf("sedge: %s %s (%s %s)%n", label, message, code.failureClass(), code);
  }
}
