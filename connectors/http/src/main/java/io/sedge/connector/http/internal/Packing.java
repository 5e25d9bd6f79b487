package io.sedge.connector.http.internal;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Answers that a server packs (RFC 9110, 8.4), since tables of some megabytes shrink to a tenth.
 */
final class Packing {
  private static final String ACCEPT = "Accept-Encoding";
  private static final String GZIP = "gzip";

  private Packing() {}

  /**
   * Says that the answer may be packed.
   *
   * @param headers names of those that the script sets
   */
  static void allow(HttpRequest.Builder request, Set<String> headers) {
    if (headers.stream().noneMatch(ACCEPT::equalsIgnoreCase)) {
      request.setHeader(ACCEPT, GZIP);
    }
  }

  /**
   * The answer as it was before the server packed it.
   *
   * @param maxBytes so many it may have then
   * @throws StatusException if it has more, or is packed in a way that nobody has asked for
   */
  static Answer unpacked(Answer answer, int maxBytes) throws IOException {
    String packing =
        answer.headers().firstValue("Content-Encoding").orElse("").strip().toLowerCase(Locale.ROOT);
    byte[] body = answer.body();
    return switch (packing) {
      case "", "identity" -> answer;
      case GZIP, "x-gzip" ->
          body.length == 0
              ? answer
              : new Answer(answer.status(), answer.headers(), unpacked(body, maxBytes));
      default ->
          throw new StatusException(
              "its answer is packed, and not by gzip (its header Content-Encoding says so); have"
                  + " the server use gzip or send it as it is",
              false,
              Duration.ZERO);
    };
  }

  private static byte[] unpacked(byte[] packed, int maxBytes) throws IOException {
    try (InputStream input = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      byte[] body = input.readNBytes(maxBytes);
      if (input.read() >= 0) {
        throw Exchange.tooLarge(maxBytes);
      }
      return body;
    } catch (ZipException | EOFException _) {
      throw new StatusException("its answer is damaged: it is no whole gzip", false, Duration.ZERO);
    }
  }
}
