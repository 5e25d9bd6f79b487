package io.sedge.site.internal.control;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Where the socket of a data directory is. */
final class ControlSocket {
  /** Of a frame from a command: a script, and some more. */
  static final int MAX_REQUEST = 1 << 20;

  /** Of a frame to a command: as many log lines as there may be. */
  static final int MAX_ANSWER = 8 << 20;

  /** What Linux allows, its ending zero aside; macOS allows four bytes less. */
  private static final int MAX_PATH = 103;

  private ControlSocket() {}

  /** A directory that only its owner may enter. */
  static Path directory(Path data) {
    return data.toAbsolutePath().normalize().resolve("control");
  }

  static UnixDomainSocketAddress address(Path data) throws SiteException {
    Path path = directory(data).resolve("socket");
    int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_PATH) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "the data directory's path is too long: a socket in it would be %s, of %d bytes where systems allow %d; choose a shorter one with --data"
              .formatted(path, bytes, MAX_PATH));
    }
    return UnixDomainSocketAddress.of(path);
  }
}
