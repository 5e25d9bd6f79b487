package io.sedge.task;

import io.sedge.connector.SourceReader;

/** A reader that may have rows and not give them, for a reason of its own. */
public interface HeldReader extends SourceReader {
  /** Whether it had rows at its last {@link #poll} and kept them back. */
  boolean isHeld();

  /** What it waits for, in words; empty if not {@link #isHeld}. */
  String waitsFor();
}
