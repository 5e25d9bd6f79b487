package io.sedge.cli.internal;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge completion}. */
@Command(
    name = "completion",
    header = "Writes a script that makes the shell complete sedge's commands and options.",
    footer = {
      "Examples:",
      "  source <(sedge completion bash)                          for this shell",
      "  sedge completion bash > ~/.local/share/bash-completion/completions/sedge",
      "  echo 'source <(sedge completion zsh)' >> ~/.zshrc"
    })
final class CompletionCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(paramLabel = "SHELL", description = "One of: ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  /** A shell that can be taught. */
  enum Shell {
    bash,
    zsh
  }

  CompletionCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** One script serves both: in zsh it turns bash's completion on for itself. */
  @Override
  public Integer call() {
    String script = AutoComplete.bash("sedge", SedgeCommand.commandLine(surroundings));
    PrintStream out = new PrintStream(surroundings.out(), true, StandardCharsets.UTF_8);
    if (shell == Shell.zsh) {
      out.println("autoload -Uz compinit bashcompinit && compinit -u && bashcompinit");
    }
    out.print(script);
    return 0;
  }
}
