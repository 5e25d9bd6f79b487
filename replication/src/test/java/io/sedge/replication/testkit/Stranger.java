package io.sedge.replication.testkit;

import io.sedge.replication.LedgerMember;
import io.sedge.replication.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Somebody who connects to a member's port, and sends what he likes. */
public final class Stranger {
  private static final int ANSWER_MILLIS = 60_000;

  private final String host;
  private final int port;
  private final UUID site;
  private final RaftPeer peer;

  public Stranger(LedgerMember member, String host, int port) {
    this.host = host;
    this.port = port;
    site = member.invite().site();
    peer = RaftPeer.newBuilder().setId(member.self().id()).setAddress(host + ":" + port).build();
  }

  /** A connection on which nothing was sent yet. */
  public Socket connect() throws IOException {
    Socket socket = new Socket(host, port);
    socket.setSoTimeout(ANSWER_MILLIS);
    return socket;
  }

  /** The same from another address of this machine. */
  public Socket connect(InetAddress from) throws IOException {
    Socket socket = new Socket(InetAddress.getByName(host), port, from, 0);
    socket.setSoTimeout(ANSWER_MILLIS);
    return socket;
  }

  /** Whether the member ends a connection; if it does not, that is an exception. */
  public static boolean isEnded(Socket socket) throws IOException {
    byte[] answer = new byte[1_024];
    try {
      int count = 0;
      while (count >= 0) {
        count = socket.getInputStream().read(answer);
      }
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // Reset, or by an alert of TLS.
    }
    return true;
  }

  /** Sends what is no TLS, or no more than its begin; whether the member ends the connection. */
  public boolean isEndedAfter(byte[] bytes) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes);
      return isEnded(socket);
    }
  }

  /**
   * Begins TLS; whether the member ends the connection.
   *
   * @param shown what is shown, if anything, also to who does not want that
   * @param trusted for whom it takes the member
   * @param protocol what it would speak then
   */
  public boolean isEndedAfterHandshake(
      Optional<X509ExtendedKeyManager> shown, X509ExtendedTrustManager trusted, String protocol)
      throws IOException, GeneralSecurityException {
    try (Socket socket = connect();
        SSLSocket tls = tls(socket, shown, trusted, protocol)) {
      return isEndedInHandshake(tls) || isEnded(tls);
    } catch (SSLException e) {
      return true;
    }
  }

  /** The member may end the connection while the rest of the handshake is written to it. */
  private static boolean isEndedInHandshake(SSLSocket tls) throws IOException {
    try {
      tls.startHandshake();
      return false;
    } catch (SSLException | SocketException e) {
      return true;
    }
  }

  /** Ends the handshake on a connection that was made before; whether the member says something. */
  public boolean isAnswered(Socket socket, Tls certificate)
      throws IOException, GeneralSecurityException {
    try (SSLSocket tls = tls(socket, Optional.of(certificate.keys()), certificate.trust(), "h2")) {
      tls.startHandshake();
      return tls.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      return false;
    }
  }

  private SSLSocket tls(
      Socket socket,
      Optional<X509ExtendedKeyManager> shown,
      X509ExtendedTrustManager trusted,
      String protocol)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    KeyManager[] keys =
        shown.map(own -> new KeyManager[] {new Insistent(own)}).orElse(new KeyManager[0]);
    context.init(keys, new TrustManager[] {trusted}, null);
    SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    tls.setSSLParameters(parameters);
    return tls;
  }

  /** Whether it was taken. */
  public boolean send(byte[] bytes, Optional<Tls> certificate) {
    RaftProperties properties = new RaftProperties();
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(64 << 20));
    RaftClientConfigKeys.Rpc.setRequestTimeout(
        properties, TimeDuration.valueOf(30, java.util.concurrent.TimeUnit.SECONDS));
    Parameters parameters = new Parameters();
    certificate.ifPresent(
        tls ->
            GrpcConfigKeys.TLS.setConf(
                parameters,
                GrpcTlsConfig.newBuilder()
                    .setMutualTls(true)
                    .setKeyManager(tls.keys())
                    .setTrustManager(tls.trust())
                    .setSslProvider(SslProvider.JDK)
                    .build()));
    try (RaftClient client =
        RaftClient.newBuilder()
            .setProperties(properties)
            .setParameters(parameters)
            .setRaftGroup(RaftGroup.valueOf(RaftGroupId.valueOf(site), peer))
            .setRetryPolicy(RetryPolicies.noRetry())
            .build()) {
      return client.io().send(Message.valueOf(ByteString.copyFrom(bytes))).isSuccess();
    } catch (IOException e) {
      return false;
    }
  }
}
