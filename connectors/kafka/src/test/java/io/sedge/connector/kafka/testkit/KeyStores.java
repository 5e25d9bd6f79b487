package io.sedge.connector.kafka.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores of keys and certificates for TLS, made with the JDK's {@code keytool}.
 *
 * @param broker the key of a broker on localhost
 * @param trusted what vouches for it
 * @param others what does not
 */
public record KeyStores(Path broker, Path trusted, Path others) {
  public static final String PASSWORD = "store-password";

  /** Makes them in a directory. */
  public static KeyStores create(Path directory) {
    try {
      Files.createDirectories(directory);
      KeyStores stores =
          new KeyStores(
              directory.resolve("broker.p12"),
              directory.resolve("trusted.p12"),
              directory.resolve("others.p12"));
      Path certificate = directory.resolve("broker.pem");
      generate(stores.broker());
      generate(stores.others());
      keytool(stores.broker(), "-exportcert", "-alias", "own", "-file", certificate.toString());
      keytool(
          stores.trusted(),
          "-importcert",
          "-noprompt",
          "-alias",
          "broker",
          "-file",
          certificate.toString());
      return stores;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void generate(Path store) {
    keytool(
        store,
        "-genkeypair",
        "-alias",
        "own",
        "-keyalg",
        "EC",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost");
  }

  private static void keytool(Path store, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(said);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
