package io.sedge.broker.internal;

import com.codahale.metrics.MetricRegistry;
import com.hivemq.extension.sdk.api.ExtensionMain;
import com.hivemq.extension.sdk.api.auth.SimpleAuthenticator;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthOutput;
import com.hivemq.extension.sdk.api.client.parameter.Listener;
import com.hivemq.extension.sdk.api.client.parameter.ServerInformation;
import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import com.hivemq.extension.sdk.api.packets.connect.ConnectPacket;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartOutput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopOutput;
import com.hivemq.extension.sdk.api.services.Services;
import com.hivemq.metrics.HiveMQMetrics;
import io.sedge.broker.internal.BrokerSettings.Login;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sits inside the broker: checks logins, gives each client its share of what may be queued, and
 * knows the port that a listener got.
 */
final class BrokerExtension implements ExtensionMain {
  private final @Nullable LoginCheck login;
  private final QueueShares shares;
  private volatile @Nullable ServerInformation server;

  /**
   * @param login that clients must give, or null if anybody may connect
   * @param shares of what may wait for clients
   */
  BrokerExtension(@Nullable Login login, QueueShares shares) {
    this.login = login == null ? null : new LoginCheck(login);
    this.shares = shares;
  }

  /** The port that the broker listens on, once it has started. */
  int port() {
    ServerInformation information = server;
    if (information == null) {
      throw new IllegalStateException("the broker has not started");
    }
    for (Listener listener : information.getListener()) {
      return listener.getPort();
    }
    throw new IllegalStateException("the broker has no listener");
  }

  @Override
  public void extensionStart(ExtensionStartInput input, ExtensionStartOutput output) {
    server = input.getServerInformation();
    MetricRegistry metrics = Services.metricRegistry();
    SimpleAuthenticator admission = (packet, answer) -> admit(packet, answer, metrics);
    Services.securityRegistry().setAuthenticatorProvider(_ -> admission);
  }

  /** Sessions are those of clients that are there, and of those that may come back. */
  private void admit(SimpleAuthInput input, SimpleAuthOutput output, MetricRegistry metrics) {
    Number sessions =
        (Number) metrics.gauge(HiveMQMetrics.CLIENT_SESSIONS_CURRENT.name()).getValue();
    output.getClientSettings().setClientQueueSizeMaximum(shares.limit(sessions.longValue()));
    if (login == null) {
      output.authenticateSuccessfully();
    } else {
      login.onConnect(input, output);
    }
  }

  @Override
  public void extensionStop(ExtensionStopInput input, ExtensionStopOutput output) {}

  /** Lets in who gives the one login that there is. */
  private static final class LoginCheck implements SimpleAuthenticator {
    private final byte[] user;
    private final byte[] password;

    LoginCheck(Login login) {
      user = login.user().getBytes(StandardCharsets.UTF_8);
      password = login.password().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void onConnect(SimpleAuthInput input, SimpleAuthOutput output) {
      ConnectPacket packet = input.getConnectPacket();
      byte[] givenUser = packet.getUserName().orElse("").getBytes(StandardCharsets.UTF_8);
      boolean userFits = MessageDigest.isEqual(user, givenUser);
      boolean passwordFits = MessageDigest.isEqual(password, bytes(packet.getPassword()));
      if (userFits && passwordFits) {
        output.authenticateSuccessfully();
      } else {
        output.failAuthentication(ConnackReasonCode.BAD_USER_NAME_OR_PASSWORD, "wrong login");
      }
    }

    private static byte[] bytes(Optional<ByteBuffer> buffer) {
      byte[] bytes = new byte[buffer.map(ByteBuffer::remaining).orElse(0)];
      buffer.ifPresent(value -> value.duplicate().get(bytes));
      return bytes;
    }
  }
}
