package io.sedge.center.internal.api;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer that begins when there is enough of it: until then the request may still be
 * answered with a failure. Any thread.
 */
final class LateStream {
  private static final int BUFFER_BYTES = 32 << 10;

  private final ServerResponse response;
  private final String type;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private @Nullable OutputStream out;

  LateStream(ServerResponse response, String type) {
    this.response = response;
    this.type = type;
  }

  /** Whether the client has been told that it succeeds. */
  synchronized boolean isBegun() {
    return out != null;
  }

  /** Takes what was written, and empties it. */
  synchronized void write(ByteArrayOutputStream piece) {
    try {
      piece.writeTo(buffer);
      piece.reset();
      if (buffer.size() >= BUFFER_BYTES) {
        drain();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private OutputStream drain() throws IOException {
    if (out == null) {
      out = response.status(200).header(HeaderNames.CONTENT_TYPE, type).outputStream();
    }
    buffer.writeTo(out);
    buffer.reset();
    return out;
  }

  /** Sends what there is and a blank, which is how one learns that nobody waits any more. */
  synchronized void beat() {
    try {
      buffer.write(' ');
      drain().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends the rest. */
  synchronized void finish() {
    try {
      drain().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
