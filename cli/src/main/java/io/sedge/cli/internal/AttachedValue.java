package io.sedge.cli.internal;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * For options whose value may be left out: it is attached ({@code --console=7481}), and what
 * follows the option is never taken for it.
 */
final class AttachedValue implements IParameterPreprocessor {
  /** The value where none is attached. */
  static final String NONE = "";

  @Override
  @SuppressWarnings("JdkObsolete") // The interface of picocli.
  public boolean preprocess(
      Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
    if (" ".equals(info.get("separator"))) {
      arguments.push(NONE);
    }
    return false;
  }
}
