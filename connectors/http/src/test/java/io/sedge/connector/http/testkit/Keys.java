package io.sedge.connector.http.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key and a certificate for localhost, made with the JDK's {@code keytool}.
 *
 * @param directory where they are
 */
public record Keys(Path directory) {
  public static final String PASSWORD = "store-password";

  private static final String ALIAS = "own";

  /** Makes them in a directory. */
  public static Keys create(Path directory) {
    Keys keys = new Keys(directory);
    try {
      Process process =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                      "-genkeypair",
                      "-alias",
                      ALIAS,
                      "-keyalg",
                      "EC",
                      "-dname",
                      "CN=localhost",
                      "-ext",
                      "san=dns:localhost",
                      "-keystore",
                      keys.store().toString(),
                      "-storetype",
                      "PKCS12",
                      "-storepass",
                      PASSWORD))
              .inheritIO()
              .start();
      if (process.waitFor() != 0) {
        throw new AssertionError("keytool fails");
      }
      KeyStore store = keys.open();
      write(keys.certificate(), "CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
      write(keys.key(), "PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
      return keys;
    } catch (IOException | InterruptedException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static void write(Path file, String what, byte[] content) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
            .formatted(what, Base64.getMimeEncoder().encodeToString(content)));
  }

  private KeyStore open() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream input = Files.newInputStream(store())) {
      store.load(input, PASSWORD.toCharArray());
    }
    return store;
  }

  /** A client's, that trusts the certificate. */
  public SSLContext trusting() {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(ALIAS, open().getCertificate(ALIAS));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  public Path store() {
    return directory.resolve("own.p12");
  }

  public Path certificate() {
    return directory.resolve("own.pem");
  }

  public Path key() {
    return directory.resolve("own.key");
  }
}
