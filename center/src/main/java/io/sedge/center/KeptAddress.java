package io.sedge.center;

import io.sedge.identity.SecretFiles;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a center listened when it was started last, kept in its directory: sites go on reporting
 * there. A file of lines, the address first, then the names.
 *
 * @param listen for sites, {@code HOST:PORT}
 * @param names as {@link CenterOptions#names}
 */
public record KeptAddress(String listen, List<String> names) {
  private static final String FILE = "listen";

  public KeptAddress {
    names = List.copyOf(names);
  }

  static KeptAddress of(CenterOptions options) {
    return new KeptAddress(
        "%s:%d".formatted(Center.bracketed(options.host()), options.sitePort()), options.names());
  }

  void write(Path data) throws IOException {
    List<String> lines = new ArrayList<>(List.of(listen));
    lines.addAll(names);
    SecretFiles.write(data.resolve(FILE), String.join("\n", lines) + "\n");
  }

  /**
   * That of a center's directory; empty if none has been started there.
   *
   * @throws CenterException DIRECTORY_NOT_USABLE if it cannot be read
   */
  public static Optional<KeptAddress> in(Path data) throws CenterException {
    Path file = data.resolve(FILE);
    try {
      List<String> lines = Files.readAllLines(file).stream().filter(s -> !s.isBlank()).toList();
      return lines.isEmpty()
          ? Optional.empty()
          : Optional.of(new KeptAddress(lines.getFirst(), lines.subList(1, lines.size())));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new CenterException(
          FailureCode.DIRECTORY_NOT_USABLE, "%s cannot be read: %s".formatted(file, e), e);
    }
  }
}
