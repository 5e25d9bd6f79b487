package io.sedge.replication;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * What a member shows of itself, and whom it lets in. Both sides of each connection are checked; a
 * member's certificate must name the address under which the others reach it. Managers are asked at
 * each new connection, so ones that change their answers renew certificates, or shut somebody out,
 * without a restart.
 */
public record Tls(X509ExtendedKeyManager keys, X509ExtendedTrustManager trust) {
  /**
   * Shows one certificate and lets in whoever has one of some authorities.
   *
   * @param chain the certificate first
   */
  public static Tls of(
      PrivateKey key, List<X509Certificate> chain, List<X509Certificate> authorities)
      throws GeneralSecurityException {
    KeyStore own = emptyStore();
    own.setKeyEntry("own", key, new char[0], chain.toArray(X509Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, new char[0]);
    KeyStore trusted = emptyStore();
    for (int i = 0; i < authorities.size(); i++) {
      trusted.setCertificateEntry("authority-" + i, authorities.get(i));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    return new Tls(keyManager(keys.getKeyManagers()), trustManager(trust.getTrustManagers()));
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new GeneralSecurityException("making an empty key store", e);
    }
  }

  private static X509ExtendedKeyManager keyManager(KeyManager[] managers)
      throws GeneralSecurityException {
    for (KeyManager manager : managers) {
      if (manager instanceof X509ExtendedKeyManager extended) {
        return extended;
      }
    }
    throw new GeneralSecurityException("the platform has no key manager for X.509");
  }

  private static X509ExtendedTrustManager trustManager(TrustManager[] managers)
      throws GeneralSecurityException {
    for (TrustManager manager : managers) {
      if (manager instanceof X509ExtendedTrustManager extended) {
        return extended;
      }
    }
    throw new GeneralSecurityException("the platform has no trust manager for X.509");
  }
}
