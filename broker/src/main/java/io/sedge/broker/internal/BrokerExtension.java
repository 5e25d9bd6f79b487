package io.sedge.broker.internal;

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
import io.sedge.broker.internal.BrokerSettings.Login;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sits inside the broker: checks logins, gives each client its share of what may be queued, and
 * knows the port that a listener got.
 */
final class BrokerExtension implements ExtensionMain {
  private final SimpleAuthenticator admission;
  private volatile @Nullable ServerInformation server;

  /**
   * @param login that clients must give, or null if anybody may connect
   * @param queueLimit messages that may wait for one client, asked when it connects
   */
  BrokerExtension(@Nullable Login login, LongSupplier queueLimit) {
    LoginCheck check = login == null ? null : new LoginCheck(login);
    admission =
        (input, output) -> {
          output.getClientSettings().setClientQueueSizeMaximum(queueLimit.getAsLong());
          if (check == null) {
            output.authenticateSuccessfully();
          } else {
            check.onConnect(input, output);
          }
        };
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
    Services.securityRegistry().setAuthenticatorProvider(_ -> admission);
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
