package io.sedge.system.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    Assumptions.assumeTrue(
        Files.isDirectory(directory.resolve("node_modules")),
        "oidc-provider is not installed: npm ci --ignore-scripts --prefix " + PLACE);
    ProcessBuilder builder =
        new ProcessBuilder("node", "provider.mjs", redirect, secret)
            .directory(directory.toFile())
            .redirectErrorStream(true);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      Assumptions.abort("node is not installed: " + e.getMessage());
      throw new UncheckedIOException(e);
    }
    StringBuilder said = new StringBuilder();
    try {
      BufferedReader output = process.inputReader();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        said.append(line).append('\n');
        if (line.startsWith(ISSUER)) {
          return new LoginProvider(process, line.substring(ISSUER.length()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("the login provider has not started: " + said);
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
