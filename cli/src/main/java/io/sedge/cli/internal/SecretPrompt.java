package io.sedge.cli.internal;

import java.util.Optional;

/** Asks a person for something that nobody who looks on is to see. */
@FunctionalInterface
public interface SecretPrompt {
  /**
   * What is typed, without echo; waits for it.
   *
   * @return empty if standard input is no terminal, so that it is read as any input
   * @throws IllegalStateException if it is one whose echo cannot be turned off
   */
  Optional<String> ask(String question);
}
