package io.sedge.cli.internal;

import picocli.CommandLine.Option;

/** The option that says in which form a command answers. */
final class AnswerOption {
  @Option(
      names = "--output",
      paramLabel = "FORM",
      order = 91,
      defaultValue = "text",
      description = "How answers are shown: ${COMPLETION-CANDIDATES}.")
  private AnswerFormat output = AnswerFormat.text;

  boolean wantsJson() {
    return output == AnswerFormat.json;
  }
}
