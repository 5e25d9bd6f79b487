package io.sedge.cli.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.cli.internal.output.Style;
import io.sedge.connector.Suggestions;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureClass;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
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
        switch (exception) {
          case JobException known -> known;
          case SiteException known ->
              new JobException(known.code(), String.valueOf(known.getMessage()), known);
          default ->
              JobException.of(
                  "running `%s`".formatted(command.getCommandSpec().qualifiedName()), exception);
        };
    return report(failure, parsed.asCommandLineList().stream().anyMatch(Failures::asksForTraces));
  }

  /**
   * Says it.
   *
   * @param debug whether to show the trace, whatever the environment says
   * @return the exit code
   */
  int report(JobException failure, boolean debug) {
    say(String.valueOf(failure.getMessage()), failure.code());
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
    String command = exception.getCommandLine().getCommandSpec().qualifiedName();
    return switch (exception) {
      case UnmatchedArgumentException unmatched -> unmatched(unmatched, command);
      case MissingParameterException missing ->
          "`%s` needs %s"
              .formatted(
                  command,
                  missing.getMissing().stream()
                      .map(Failures::name)
                      .collect(Collectors.joining(" and ")));
      case OverwrittenOptionException twice ->
          "%s is given twice".formatted(name(requireNonNull(twice.getOverwritten())));
      default -> wrongValue(exception);
    };
  }

  private static String unmatched(UnmatchedArgumentException exception, String command) {
    String argument = exception.getUnmatched().getFirst();
    CommandSpec spec = exception.getCommandLine().getCommandSpec();
    boolean option = argument.startsWith("-");
    Set<String> known = option ? spec.optionsMap().keySet() : spec.subcommands().keySet();
    String what = option ? "option" : spec.subcommands().isEmpty() ? "argument" : "command";
    return "`%s` has no %s `%s`%s"
        .formatted(
            command,
            what,
            argument,
            Suggestions.closest(argument, known)
                .map("; did you mean `%s`?"::formatted)
                .orElseGet(() -> option ? "" : commands(spec)));
  }

  private static String commands(CommandSpec spec) {
    String names =
        spec.subcommands().values().stream()
            .map(CommandLine::getCommandSpec)
            .filter(each -> !each.usageMessage().hidden())
            .map(CommandSpec::name)
            .distinct()
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : "; it has " + names;
  }

  private static String wrongValue(ParameterException exception) {
    ArgSpec argument = exception.getArgSpec();
    String message = String.valueOf(exception.getMessage());
    if (argument == null || exception.getValue() == null) {
      return message;
    }
    String given = "%s=%s".formatted(name(argument), exception.getValue());
    if (argument.type().isEnum()) {
      return "%s is not one of %s"
          .formatted(
              given,
              Arrays.stream(argument.type().getEnumConstants())
                  .map(Object::toString)
                  .collect(Collectors.joining(", ")));
    }
    if (argument.type() == int.class) {
      return "%s is not a whole number".formatted(given);
    }
    return exception.getCause() instanceof TypeConversionException conversion
        ? "%s: %s".formatted(given, conversion.getMessage())
        : "%s: %s".formatted(given, message);
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private void say(String message, FailureCode code) {
    String label = Style.RED.on(surroundings.coloursErr(), "error:");
    surroundings
        .err()
        .printf(
            "sedge: %s %s (%s %s)%n", label, Printable.text(message), code.failureClass(), code);
  }
}
