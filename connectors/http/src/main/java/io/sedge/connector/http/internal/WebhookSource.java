package io.sedge.connector.http.internal;

import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;

/** What others send as a table that is read. */
record WebhookSource(WebhookSettings settings) implements Source {
  @Override
  public boolean bounded() {
    return false;
  }

  @Override
  public SourceReader open() {
    return new WebhookReader(settings);
  }
}
