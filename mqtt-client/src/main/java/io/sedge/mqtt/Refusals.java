package io.sedge.mqtt;

import com.hivemq.client.mqtt.exceptions.ConnectionClosedException;
import com.hivemq.client.mqtt.exceptions.MqttClientStateException;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3ConnAckException;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3SubAckException;
import com.hivemq.client.mqtt.mqtt3.message.connect.connack.Mqtt3ConnAckReturnCode;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubRecException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.puback.Mqtt5PubAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.pubrec.Mqtt5PubRecReasonCode;
import io.sedge.connector.Causes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;

/** What to make of a connection that failed, and what to say of it. */
public final class Refusals {
  private Refusals() {}

  /** Whether trying again will not help until somebody changes something. */
  public static boolean isFinal(Throwable cause) {
    return switch (cause) {
      case Mqtt5ConnAckException five -> isFinal(five.getMqttMessage().getReasonCode());
      case Mqtt3ConnAckException three -> isFinal(three.getMqttMessage().getReturnCode());
      default -> false;
    };
  }

  private static boolean isFinal(Mqtt5ConnAckReasonCode code) {
    return switch (code) {
      case NOT_AUTHORIZED,
          BAD_USER_NAME_OR_PASSWORD,
          BAD_AUTHENTICATION_METHOD,
          BANNED,
          CLIENT_IDENTIFIER_NOT_VALID,
          UNSUPPORTED_PROTOCOL_VERSION ->
          true;
      default -> false;
    };
  }

  private static boolean isFinal(Mqtt3ConnAckReturnCode code) {
    return switch (code) {
      case NOT_AUTHORIZED,
          BAD_USER_NAME_OR_PASSWORD,
          IDENTIFIER_REJECTED,
          UNSUPPORTED_PROTOCOL_VERSION ->
          true;
      default -> false;
    };
  }

  /** Whether another client has connected under the same name. */
  public static boolean isTakenOver(Throwable cause) {
    return cause instanceof Mqtt5DisconnectException five
        && five.getMqttMessage().getReasonCode() == Mqtt5DisconnectReasonCode.SESSION_TAKEN_OVER;
  }

  /** Whether there is no connection any more, so that nobody has to end it. */
  public static boolean isOver(Throwable thrown) {
    return thrown instanceof MqttClientStateException
        || thrown instanceof ConnectionClosedException;
  }

  /** Whether a broker has refused a subscription, as opposed to a connection that was lost. */
  public static boolean isSubscription(Throwable thrown) {
    return thrown instanceof Mqtt5SubAckException || thrown instanceof Mqtt3SubAckException;
  }

  /** Whether a broker has refused a message for good. */
  public static boolean isPublish(Throwable thrown) {
    return (thrown instanceof Mqtt5PubAckException || thrown instanceof Mqtt5PubRecException)
        && !isQuota(thrown);
  }

  /** Whether a broker has refused a message for now. */
  public static boolean isQuota(Throwable thrown) {
    return switch (thrown) {
      case Mqtt5PubAckException one ->
          one.getMqttMessage().getReasonCode() == Mqtt5PubAckReasonCode.QUOTA_EXCEEDED;
      case Mqtt5PubRecException two ->
          two.getMqttMessage().getReasonCode() == Mqtt5PubRecReasonCode.QUOTA_EXCEEDED;
      default -> false;
    };
  }

  /** Why it failed, and what to do where that is known. */
  public static String explain(Throwable cause) {
    return switch (cause) {
      case Mqtt5ConnAckException five ->
          five.getMqttMessage().getReasonCode()
              + five.getMqttMessage().getReasonString().map(text -> " (" + text + ")").orElse("")
              + advice(five.getMqttMessage().getReasonCode().name());
      case Mqtt3ConnAckException three ->
          three.getMqttMessage().getReturnCode()
              + advice(three.getMqttMessage().getReturnCode().name());
      case Mqtt5DisconnectException five ->
          five.getMqttMessage().getReasonCode()
              + five.getMqttMessage().getReasonString().map(text -> " (" + text + ")").orElse("")
              + (isTakenOver(five)
                  ? " (another client has connected with the same 'client-id')"
                  : "");
      case Mqtt5SubAckException five -> five.getMqttMessage().getReasonCodes().toString();
      case Mqtt3SubAckException three -> three.getMqttMessage().getReturnCodes().toString();
      case Mqtt5PubAckException five -> five.getMqttMessage().getReasonCode().toString();
      case Mqtt5PubRecException five -> five.getMqttMessage().getReasonCode().toString();
      case UnknownHostException _ -> "the host is not known";
      case ConnectException _ -> "nobody listens there";
      case ClosedChannelException _ -> "the connection was closed";
      case SSLException tls -> "TLS failed: " + tls(tls);
      default -> cause.getMessage() == null ? cause.toString() : String.valueOf(cause.getMessage());
    };
  }

  private static String tls(SSLException failure) {
    Throwable innermost = Causes.innermost(failure);
    String message = String.valueOf(innermost.getMessage());
    return switch (innermost) {
      case CertPathBuilderException _ ->
          "nobody who is trusted here vouches for the broker's certificate; 'tls.ca' is to name the"
              + " file of its authority";
      case CertificateExpiredException expired ->
          "the broker's certificate is out of date (%s)".formatted(expired.getMessage());
      case CertificateNotYetValidException early ->
          "the broker's certificate is not valid yet (%s); is this machine's clock right?"
              .formatted(early.getMessage());
      case CertificateException _ when message.startsWith("No ") ->
          "the broker's certificate is for another host (%s); write the name that it has in 'url'"
              .formatted(message);
      default ->
          message.contains("certificate_required") || message.contains("bad_certificate")
              ? message + "; the broker wants another certificate: 'tls.certificate', 'tls.key'"
              : message;
    };
  }

  /** What Netty, which is not on the class path here, says of a record that is no TLS. */
  private static boolean isNoTls(Throwable cause) {
    return cause instanceof SSLException
        && String.valueOf(cause.getMessage()).startsWith("not an SSL/TLS record");
  }

  /** Whether the far end has ended the connection without a word, or with one that is no MQTT. */
  private static boolean isHungUp(Throwable cause) {
    return cause instanceof ConnectionClosedException
        || cause instanceof ClosedChannelException
        || isNoTls(cause)
        || (cause instanceof IOException && String.valueOf(cause.getMessage()).contains("reset"));
  }

  /**
   * As {@link #explain(Throwable)}, of an attempt to connect. Brokers end a connection at once that
   * talks TLS where they do not, or the other way round.
   */
  static String explainAttempt(Throwable cause, BrokerAddress broker) {
    if (!isHungUp(cause)) {
      return explain(cause);
    }
    return "%s; does the broker talk %s TLS at this port? Then write %s://"
        .formatted(
            isNoTls(cause) ? "what it says is no TLS" : "it ends the connection at once",
            broker.tls() ? "without" : "nothing but",
            broker.tls() ? "mqtt" : "mqtts");
  }

  private static String advice(String code) {
    return switch (code) {
      case "NOT_AUTHORIZED", "BAD_USER_NAME_OR_PASSWORD" ->
          "; check 'username', 'password' and what the broker allows this client";
      case "CLIENT_IDENTIFIER_NOT_VALID", "IDENTIFIER_REJECTED" -> "; choose another 'client-id'";
      case "UNSUPPORTED_PROTOCOL_VERSION" -> "; try the other 'version'";
      default -> "";
    };
  }
}
