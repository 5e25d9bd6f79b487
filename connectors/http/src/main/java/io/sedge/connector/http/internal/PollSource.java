package io.sedge.connector.http.internal;

import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;

/** A web service as a table that is read. */
record PollSource(PollSettings settings) implements Source {
  @Override
  public boolean bounded() {
    return false;
  }

  @Override
  public SourceReader open() {
    return new PollReader(settings);
  }
}
