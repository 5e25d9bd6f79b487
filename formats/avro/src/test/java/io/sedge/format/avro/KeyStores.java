package io.sedge.format.avro;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate for the loopback address that vouches for itself, made by the JDK's keytool: {@code
 * own.p12}, and for those who trust it {@code trust.p12} and {@code authority.pem}.
 */
final class KeyStores {
  static final String PASSWORD = "changeit";

  private final Path directory;

  KeyStores(Path directory) throws IOException, InterruptedException {
    this.directory = directory;
    keytool(
        "-genkeypair",
        "-keyalg",
        "EC",
        "-alias",
        "own",
        "-dname",
        "CN=registry",
        "-ext",
        "san=ip:127.0.0.1",
        "-validity",
        "2",
        "-keystore",
        "own.p12");
    keytool(
        "-exportcert", "-rfc", "-alias", "own", "-keystore", "own.p12", "-file", "authority.pem");
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        "authority",
        "-keystore",
        "trust.p12",
        "-file",
        "authority.pem");
  }

  SSLContext server() throws GeneralSecurityException, IOException {
    KeyStore store =
        KeyStore.getInstance(directory.resolve("own.p12").toFile(), PASSWORD.toCharArray());
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    return tls;
  }

  private void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException("keytool failed: " + command);
    }
  }
}
