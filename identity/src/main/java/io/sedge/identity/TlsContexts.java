package io.sedge.identity;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** TLS 1.3 as enrolment uses it. */
final class TlsContexts {
  private static final String VERSION = "TLSv1.3";

  private TlsContexts() {}

  static SSLContext of(@Nullable X509ExtendedKeyManager keys, X509ExtendedTrustManager trust)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance(VERSION);
    context.init(
        keys == null ? new KeyManager[0] : new KeyManager[] {keys},
        new TrustManager[] {trust},
        null);
    return context;
  }

  /** The side that was connected to: asks for a certificate, and goes on without one. */
  static SSLSocket serverSide(SSLContext context, Socket socket) throws IOException {
    SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
    tls.setUseClientMode(false);
    tls.setWantClientAuth(true);
    tls.setEnabledProtocols(new String[] {VERSION});
    return tls;
  }

  /** The side that connected: the other's certificate must be of the host. */
  static SSLSocket clientSide(SSLContext context, Socket socket, String host) throws IOException {
    SSLSocket tls =
        (SSLSocket) context.getSocketFactory().createSocket(socket, host, socket.getPort(), true);
    tls.setUseClientMode(true);
    tls.setEnabledProtocols(new String[] {VERSION});
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    tls.setSSLParameters(parameters);
    return tls;
  }
}
