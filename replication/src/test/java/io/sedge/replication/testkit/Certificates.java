package io.sedge.replication.testkit;

import io.sedge.replication.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority and what it has signed, made by the JDK's keytool. */
public final class Certificates {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final Path store;

  /** Makes an authority. */
  public Certificates(Path directory, String name) throws IOException, InterruptedException {
    this.store = directory.resolve(name + ".p12");
    keytool("-alias", "authority", "-dname", "CN=" + name, "-ext", "bc:c");
  }

  /** A certificate of this authority for the loopback address. */
  public Tls sign(String name) throws IOException, InterruptedException, GeneralSecurityException {
    keytool(
        "-alias", name, "-dname", "CN=" + name, "-signer", "authority", "-ext", "san=ip:127.0.0.1");
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream input = Files.newInputStream(store)) {
      keys.load(input, PASSWORD);
    }
    List<X509Certificate> chain =
        Arrays.stream(keys.getCertificateChain(name)).map(Certificates::x509).toList();
    return Tls.of(
        (PrivateKey) keys.getKey(name, PASSWORD),
        chain,
        List.of(x509(keys.getCertificate("authority"))));
  }

  private static X509Certificate x509(Certificate certificate) {
    return (X509Certificate) certificate;
  }

  private void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new java.util.ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                store.toString()));
    command.addAll(Arrays.asList(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException("keytool failed: " + command);
    }
  }
}
