package io.sedge.system.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A provider of OpenID Connect that is not ours: oidc-provider, in a process of its own. */
public final class LoginProvider implements AutoCloseable {
  private static final String PLACE = "system-tests/src/test/node";
  private static final String ISSUER = "issuer ";

  private final Process process;
  private final String issuer;

  private LoginProvider(Process process, String issuer) {
    this.process = process;
    this.issuer = issuer;
  }

  /**
   * Starts it, or skips the test where it is not installed.
   *
   * @param redirect where it sends browsers back to
   * @param secret of the client {@code sedge}
   */
  public static LoginProvider start(String redirect, String secret) {
    Path directory = Sedge.project().resolve(PLACE);
    assumeLoadable(directory);
    Process process = node(directory, "provider.mjs", redirect, secret);
    StringBuilder said = new StringBuilder();
    try {
      BufferedReader output = process.inputReader();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        said.append(line).append('\n');
        if (line.startsWith(ISSUER)) {
          drain(output);
          return new LoginProvider(process, line.substring(ISSUER.length()));
        }
      }
    } catch (IOException e) {
      process.destroyForcibly();
      throw new UncheckedIOException(e);
    }
    process.destroyForcibly();
    throw new AssertionError("the login provider has not started: " + said);
  }

  /** It may be installed in part, or for another node. */
  private static void assumeLoadable(Path directory) {
    Process process = node(directory, "--input-type=module", "-e", "import 'oidc-provider'");
    try (BufferedReader output = process.inputReader()) {
      String said = String.join("\n", output.readAllLines());
      Assumptions.assumeTrue(
          process.waitFor() == 0,
          () ->
              "node cannot load oidc-provider, try npm ci --ignore-scripts --prefix %s: %s"
                  .formatted(PLACE, said));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process node(Path directory, String... arguments) {
    List<String> command = new ArrayList<>(List.of("node"));
    command.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(command)
          .directory(directory.toFile())
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      Assumptions.abort("node is not installed: " + e.getMessage());
      throw new UncheckedIOException(e);
    }
  }

  /** A pipe that nobody reads fills up, and the provider would wait. */
  private static void drain(BufferedReader output) {
    Thread.ofVirtual()
        .name("login-provider-output")
        .start(
            () -> {
              try {
                var _ = output.transferTo(Writer.nullWriter());
              } catch (IOException _) {
                // The process has ended.
              }
            });
  }

  /** Its address. */
  public String issuer() {
    return issuer;
  }

  @Override
  public void close() {
    try {
      if (!process.destroyForcibly().waitFor(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the login provider does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
