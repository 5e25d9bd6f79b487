package io.sedge.connector.opcua.internal;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.eclipse.milo.opcua.stack.core.StatusCodes;
import org.eclipse.milo.opcua.stack.core.UaException;
import org.eclipse.milo.opcua.stack.core.UaRuntimeException;
import org.eclipse.milo.opcua.stack.core.UaSerializationException;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;

/** Says in words what has gone wrong, and what to do where there is anything. */
final class Failures {
  private Failures() {}

  /** The name of a status code, without the underscore: {@code BadNodeIdUnknown}. */
  static String name(StatusCode status) {
    if (status.value() == 0) {
      return "Good";
    }
    return StatusCodes.lookup(status.value() & 0xFFFF0000L)
        .map(found -> found[0].replace("_", ""))
        .orElseGet(() -> "0x%08X".formatted(status.value()));
  }

  /** The status of a failure, if a server gave one. */
  static long code(Throwable failure) {
    return UaException.extractStatusCode(failure).map(StatusCode::value).orElse(0L);
  }

  /** What has happened, for people. */
  static String text(Throwable failure, String login) {
    Throwable cause = root(failure);
    if (cause instanceof ConnectorRefusal) {
      return String.valueOf(cause.getMessage());
    }
    if (cause instanceof UnknownHostException) {
      return "there is no host of that name: look at 'url'";
    }
    if (cause instanceof ConnectException) {
      return "nothing listens there: look at host and port in 'url', and whether the server runs";
    }
    if (cause instanceof ClosedChannelException) {
      return "the connection was closed";
    }
    if (cause instanceof TimeoutException) {
      return "no answer in time";
    }
    long code = code(failure);
    if (code == 0) {
      String message = cause.getMessage();
      return message == null ? cause.getClass().getSimpleName() : message.replace("\n", " ");
    }
    String name = name(new StatusCode(code));
    String more = remedy(code, login);
    return more.isEmpty() ? name : "%s: %s".formatted(name, more);
  }

  private static String remedy(long code, String login) {
    if (code == StatusCodes.Bad_UserAccessDenied || code == StatusCodes.Bad_IdentityTokenRejected) {
      return "the server does not let %s in: look at 'username' and 'password'".formatted(login);
    }
    if (code == StatusCodes.Bad_IdentityTokenInvalid) {
      return "the server does not take this kind of login (%s)".formatted(login);
    }
    if (code == StatusCodes.Bad_SecurityChecksFailed
        || code == StatusCodes.Bad_CertificateUntrusted
        || code == StatusCodes.Bad_SecureChannelClosed) {
      return "the server has refused the connection; with a 'security-policy' it does not trust"
          + " this device's certificate yet, as a rule: accept it there";
    }
    if (code == StatusCodes.Bad_TooManySessions || code == StatusCodes.Bad_TooManySubscriptions) {
      return "the server takes no more of them; end other clients, or raise its limit";
    }
    if (code == StatusCodes.Bad_ServerHalted || code == StatusCodes.Bad_Shutdown) {
      return "the server is going down";
    }
    if (code == StatusCodes.Bad_Timeout) {
      return "no answer in time";
    }
    if (code == StatusCodes.Bad_ConnectionClosed) {
      return "the connection was closed";
    }
    if (code == StatusCodes.Bad_TcpEndpointUrlInvalid) {
      return "the server does not know the path in 'url'";
    }
    return "";
  }

  /** Throws a failure again that is a mistake of this program, and not of a server or network. */
  static void checkForeseen(Exception failure) {
    if (failure instanceof RuntimeException mistake
        && !(failure instanceof UaRuntimeException)
        && !(failure instanceof UaSerializationException)) {
      throw mistake;
    }
  }

  /** Whether the server does not let the user in; trying again might lock the user out. */
  static boolean isLogin(Throwable failure) {
    long code = code(failure);
    return code == StatusCodes.Bad_UserAccessDenied
        || code == StatusCodes.Bad_IdentityTokenRejected
        || code == StatusCodes.Bad_IdentityTokenInvalid;
  }

  /** Whether fewer operations in a request may help. */
  static boolean isTooMuch(Throwable failure) {
    long code = code(failure);
    return code == StatusCodes.Bad_TooManyOperations
        || code == StatusCodes.Bad_ResponseTooLarge
        || code == StatusCodes.Bad_RequestTooLarge
        || code == StatusCodes.Bad_EncodingLimitsExceeded;
  }

  /** Whether the way to the server was lost, and not more than that. */
  static boolean isConnectionLost(Throwable failure) {
    long code = code(failure);
    return root(failure) instanceof IOException
        || code == StatusCodes.Bad_ConnectionClosed
        || code == StatusCodes.Bad_SecureChannelClosed
        || code == StatusCodes.Bad_SessionNotActivated;
  }

  /** What lies below the wrappings. */
  static Throwable root(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof ExecutionException
            || cause instanceof CompletionException
            || (cause instanceof UaException && isShell(cause)))
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Milo wraps what the network says into a status that says less. */
  private static boolean isShell(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause instanceof IOException
        || cause instanceof UaException
        || cause instanceof ConnectorRefusal
        || cause instanceof ExecutionException
        || cause instanceof CompletionException;
  }
}
