package io.sedge.connector.mqtt.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An authority, a broker and a client that it vouches for, and a stranger; made with the JDK's
 * keytool. Each as key store ({@code broker.p12}) and as PEM ({@code client.pem}, {@code
 * client-key.pem}).
 */
public final class Certificates {
  public static final String PASSWORD = "changeit";

  private final Path directory;

  public Certificates(Path directory) throws IOException, GeneralSecurityException {
    this.directory = directory;
    self("authority", "CN=Authority", "bc:c");
    self("stranger", "CN=Stranger", "bc:c");
    signed("broker", "CN=localhost", "san=dns:localhost,ip:127.0.0.1");
    signed("client", "CN=client", "eku=clientAuth");
    trust();
    for (String name : List.of("authority", "broker", "client", "stranger")) {
      export(name);
    }
  }

  public Path file(String name) {
    return directory.resolve(name);
  }

  private void self(String name, String subject, String extension) throws IOException {
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-dname",
        subject,
        "-ext",
        extension,
        "-validity",
        "2",
        "-keystore",
        name + ".p12");
  }

  private void signed(String name, String subject, String extension) throws IOException {
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-dname",
        subject,
        "-validity",
        "2",
        "-keystore",
        name + ".p12");
    keytool("-certreq", "-alias", name, "-file", name + ".csr", "-keystore", name + ".p12");
    keytool(
        "-gencert",
        "-alias",
        "authority",
        "-infile",
        name + ".csr",
        "-outfile",
        name + ".cer",
        "-ext",
        extension,
        "-validity",
        "2",
        "-keystore",
        "authority.p12");
    keytool(
        "-exportcert",
        "-alias",
        "authority",
        "-file",
        "authority.cer",
        "-keystore",
        "authority.p12");
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        "authority",
        "-file",
        "authority.cer",
        "-keystore",
        name + ".p12");
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        name,
        "-file",
        name + ".cer",
        "-keystore",
        name + ".p12");
  }

  private void trust() throws IOException {
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        "authority",
        "-file",
        "authority.cer",
        "-keystore",
        "trust.p12");
  }

  private void keytool(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storepass", PASSWORD, "-storetype", "PKCS12"));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(file("keytool.log").toFile()))
            .start();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(command + ": " + Files.readString(file("keytool.log")));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void export(String name) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(file(name + ".p12").toFile(), PASSWORD.toCharArray());
    StringBuilder pem = new StringBuilder();
    for (Certificate certificate : store.getCertificateChain(name)) {
      pem.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    Files.writeString(file(name + ".pem"), pem);
    Key key = store.getKey(name, PASSWORD.toCharArray());
    Files.writeString(file(name + "-key.pem"), pem("PRIVATE KEY", key.getEncoded()));
  }

  private static String pem(String type, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(type, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), type);
  }
}
