package io.sedge.format.avro.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.connector.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads the files that the options of a registry name for TLS. Blocks. */
final class RegistryFiles {
  private final String table;
  private final RegistryOptions options;
  private final ConnectorContext context;

  RegistryFiles(String table, RegistryOptions options, ConnectorContext context) {
    this.table = table;
    this.options = options;
    this.context = context;
  }

  /**
   * TLS with certificates of the table's own; null if it has none.
   *
   * @throws ConnectorException of kind USER if a file cannot be used
   */
  @Nullable SSLContext tls() {
    Optional<String> trust = options.find(RegistryOptions.TRUST_STORE);
    Optional<String> keys = options.find(RegistryOptions.KEY_STORE);
    if (trust.isEmpty() && keys.isEmpty()) {
      return null;
    }
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(
          keys.isEmpty() ? null : keyManagers(keys.get()),
          trust.isEmpty() ? null : trustManagers(trust.get()),
          null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw SchemaMapping.user("table %s: TLS cannot be used: %s".formatted(table, e));
    }
  }

  private TrustManager[] trustManagers(String file) throws GeneralSecurityException {
    if (options.isPem()) {
      return new PemFiles(table, context)
          .trust(RegistryOptions.TRUST_STORE, Path.of(file))
          .getTrustManagers();
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(
        store(RegistryOptions.TRUST_STORE, file, password(RegistryOptions.TRUST_PASSWORD)));
    return factory.getTrustManagers();
  }

  private KeyManager[] keyManagers(String file) throws GeneralSecurityException {
    char[] password = password(RegistryOptions.KEY_PASSWORD);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store(RegistryOptions.KEY_STORE, file, password), password);
    return factory.getKeyManagers();
  }

  private char[] password(String option) {
    return options.find(option).orElse("").toCharArray();
  }

  private KeyStore store(String option, String file, char[] password)
      throws GeneralSecurityException {
    Path path = context.directory().resolve(file);
    context.files().check("table %s: '%s'".formatted(table, option), path, FileAccess.Use.READ);
    try {
      return KeyStore.getInstance(path.toFile(), password);
    } catch (IOException e) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: '%s' = '%s' cannot be read: %s".formatted(table, option, file, e),
          e);
    }
  }
}
