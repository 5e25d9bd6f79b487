package io.sedge.connector.opcua.testkit;

import static org.eclipse.milo.opcua.sdk.server.OpcUaServerConfig.USER_TOKEN_POLICY_ANONYMOUS;
import static org.eclipse.milo.opcua.sdk.server.OpcUaServerConfig.USER_TOKEN_POLICY_USERNAME;
import static org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.Unsigned.uint;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.KeyPair;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.time.Period;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.eclipse.milo.opcua.sdk.server.EndpointConfig;
import org.eclipse.milo.opcua.sdk.server.OpcUaServer;
import org.eclipse.milo.opcua.sdk.server.OpcUaServerConfig;
import org.eclipse.milo.opcua.sdk.server.OpcUaServerConfigLimits;
import org.eclipse.milo.opcua.sdk.server.identity.AnonymousIdentityValidator;
import org.eclipse.milo.opcua.sdk.server.identity.CompositeValidator;
import org.eclipse.milo.opcua.sdk.server.identity.UsernameIdentityValidator;
import org.eclipse.milo.opcua.stack.core.security.CertificateValidator;
import org.eclipse.milo.opcua.stack.core.security.DefaultApplicationGroup;
import org.eclipse.milo.opcua.stack.core.security.DefaultCertificateManager;
import org.eclipse.milo.opcua.stack.core.security.MemoryCertificateQuarantine;
import org.eclipse.milo.opcua.stack.core.security.MemoryCertificateStore;
import org.eclipse.milo.opcua.stack.core.security.MemoryTrustListManager;
import org.eclipse.milo.opcua.stack.core.security.RsaSha256CertificateFactory;
import org.eclipse.milo.opcua.stack.core.security.SecurityPolicy;
import org.eclipse.milo.opcua.stack.core.transport.TransportProfile;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.eclipse.milo.opcua.stack.core.types.builtin.LocalizedText;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UInteger;
import org.eclipse.milo.opcua.stack.core.types.enumerated.MessageSecurityMode;
import org.eclipse.milo.opcua.stack.core.types.structured.BuildInfo;
import org.eclipse.milo.opcua.stack.core.util.SelfSignedCertificateBuilder;
import org.eclipse.milo.opcua.stack.core.util.SelfSignedCertificateGenerator;
import org.eclipse.milo.opcua.stack.transport.server.tcp.OpcTcpServerTransport;
import org.eclipse.milo.opcua.stack.transport.server.tcp.OpcTcpServerTransportConfig;

/**
 * A server of Milo on the loopback interface with all security policies. User {@code operator} has
 * the password {@code secret}.
 */
public final class PlantServer implements AutoCloseable {
  static {
    Security.addProvider(new BouncyCastleProvider());
  }

  /** A key and its certificate, made once for all servers. */
  public record Identity(KeyPair keys, X509Certificate certificate) {
    private static final Identity USUAL = make("127.0.0.1", Period.ofYears(1));

    /** One for a host; a negative validity has ended. */
    public static Identity make(String address, Period validity) {
      try {
        KeyPair keys = SelfSignedCertificateGenerator.generateRsaKeyPair(2048);
        return new Identity(
            keys,
            new SelfSignedCertificateBuilder(keys)
                .setCommonName("plant")
                .setApplicationUri("urn:sedge:plant:server")
                .addIpAddress(address)
                .setValidityPeriod(validity)
                .build());
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** One that tests share, each with nodes of its own; starting one takes seconds. */
  public static PlantServer shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    private static final PlantServer SERVER = new PlantServer();
  }

  private final int port;
  private final Identity identity;
  private final CertificateValidator clients;
  private OpcUaServer server;
  private Plant plant;

  public PlantServer() {
    this(Identity.USUAL, (chain, uri, hosts) -> {});
  }

  /**
   * @param clients which certificates of clients it takes
   */
  public PlantServer(Identity identity, CertificateValidator clients) {
    this.identity = identity;
    this.clients = clients;
    this.port = freePort();
    this.server = make();
    this.plant = new Plant(server);
    start();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void start() {
    try {
      plant.startup();
      server.startup().get(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends the server, which forgets all sessions. */
  public void stop() {
    plant.shutdown();
    try {
      server.shutdown().get(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts it again on the same port, with no nodes. */
  public void startAgain() {
    server = make();
    plant = new Plant(server);
    start();
  }

  public Plant plant() {
    return plant;
  }

  public OpcUaServer server() {
    return server;
  }

  public int port() {
    return port;
  }

  public String url() {
    return "opc.tcp://127.0.0.1:" + port;
  }

  public X509Certificate certificate() {
    return identity.certificate();
  }

  private OpcUaServer make() {
    MemoryTrustListManager trust = new MemoryTrustListManager();
    MemoryCertificateQuarantine quarantine = new MemoryCertificateQuarantine();
    RsaSha256CertificateFactory factory =
        new RsaSha256CertificateFactory() {
          @Override
          protected KeyPair createRsaSha256KeyPair() {
            return identity.keys();
          }

          @Override
          protected X509Certificate[] createRsaSha256CertificateChain(KeyPair keys) {
            return new X509Certificate[] {identity.certificate()};
          }
        };
    DefaultApplicationGroup group;
    try {
      group =
          DefaultApplicationGroup.createAndInitialize(
              trust, new MemoryCertificateStore(), factory, clients);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    OpcUaServerConfig config =
        OpcUaServerConfig.builder()
            .setApplicationUri("urn:sedge:plant:server")
            .setApplicationName(LocalizedText.english("plant"))
            .setProductUri("urn:sedge:plant")
            .setBuildInfo(new BuildInfo("", "", "", "", "", DateTime.NULL_VALUE))
            .setEndpoints(endpoints())
            .setCertificateManager(new DefaultCertificateManager(quarantine, group))
            .setIdentityValidator(
                new CompositeValidator(
                    AnonymousIdentityValidator.INSTANCE,
                    new UsernameIdentityValidator(
                        challenge ->
                            challenge.getUsername().equals("operator")
                                && challenge.getPassword().equals("secret"))))
            .setLimits(
                new OpcUaServerConfigLimits() {
                  @Override
                  public UInteger getMaxMonitoredItemsPerCall() {
                    return uint(700);
                  }

                  @Override
                  public UInteger getMaxNodesPerRead() {
                    return uint(700);
                  }

                  @Override
                  public UInteger getMaxNodesPerBrowse() {
                    return uint(50);
                  }

                  @Override
                  public Double getMinSupportedSampleRate() {
                    return 1.0;
                  }

                  @Override
                  public Double getMinPublishingInterval() {
                    return 1.0;
                  }

                  @Override
                  public Double getMinSubscriptionLifetime() {
                    return 10.0;
                  }
                })
            .build();
    return new OpcUaServer(
        config,
        profile -> new OpcTcpServerTransport(OpcTcpServerTransportConfig.newBuilder().build()));
  }

  private Set<EndpointConfig> endpoints() {
    Set<EndpointConfig> endpoints = new LinkedHashSet<>();
    EndpointConfig.Builder any =
        EndpointConfig.newBuilder()
            .setBindAddress("127.0.0.1")
            .setBindPort(port)
            // What many servers say of themselves leads nowhere from other machines.
            .setHostname("plant.invalid")
            .setCertificate(identity.certificate())
            .setTransportProfile(TransportProfile.TCP_UASC_UABINARY)
            .addTokenPolicies(USER_TOKEN_POLICY_ANONYMOUS, USER_TOKEN_POLICY_USERNAME);
    endpoints.add(any.copy().build());
    for (SecurityPolicy policy :
        Set.of(
            SecurityPolicy.Basic256Sha256,
            SecurityPolicy.Aes128_Sha256_RsaOaep,
            SecurityPolicy.Aes256_Sha256_RsaPss)) {
      for (MessageSecurityMode mode :
          Set.of(MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt)) {
        endpoints.add(any.copy().setSecurityPolicy(policy).setSecurityMode(mode).build());
      }
    }
    return endpoints;
  }

  @Override
  public void close() {
    stop();
  }
}
