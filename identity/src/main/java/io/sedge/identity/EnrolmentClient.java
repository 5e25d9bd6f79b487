package io.sedge.identity;

import io.sedge.connector.Causes;
import io.sedge.identity.message.Frames;
import io.sedge.replication.Invitation;
import io.sedge.replication.Member;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.LeftOutPage;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.ModelDrift;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/**
 * Asks another device; but for its log, what it has left out, its bundle and files, one that has
 * the authority. Waits; any thread.
 */
public final class EnrolmentClient {
  private static final int CONNECT_MILLIS = 5_000;

  /** For all of it: the other side may have to wait for a majority of the ledger. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The alert of TLS that only the ledger's port ends a handshake with. */
  private static final String CERTIFICATE_REQUIRED = "certificate_required";

  private EnrolmentClient() {}

  /** A newcomer's side of a join. */
  public interface Joining {
    /** The site is asked: from now on it may have let the newcomer in, whatever is heard of it. */
    void asked();

    /** Writes an invitation to the disk. */
    void keep(Invitation invitation) throws SiteException;
  }

  /** The address of this machine from which an address is reached; nothing is sent. */
  public static String ownHostTowards(String address) throws SiteException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(
          new InetSocketAddress(
              InetAddress.getByName(Addresses.host(address)), Addresses.port(address)));
      return socket.getLocalAddress().getHostAddress();
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.CONNECTION_FAILED,
          "there is no way to %s: %s".formatted(address, e.getMessage()),
          e);
    }
  }

  /**
   * Gets a certificate for a token, and writes it with what it needs into a directory. After a
   * crash the same may be done again, with the same token and directory.
   *
   * @param address of a device that has the authority, {@code host:port}
   * @param options the newcomer's
   * @param format the latest format of a ledger that it reads
   * @param joining keeps the invitation, before the certificate says that all is there
   */
  public static Invitation join(
      String address,
      TokenText token,
      Path directory,
      DeviceOptions options,
      int format,
      InstantSource clock,
      Joining joining)
      throws SiteException {
    try {
      KeyPair keys = DeviceIdentity.keys(directory);
      PinnedTrust pin = new PinnedTrust(token.authority(), clock);
      EnrolmentAnswer answer =
          ask(
              address,
              TlsContexts.of(null, pin),
              new EnrolmentRequest.Join(
                  token.secret(),
                  SigningRequest.create(options.name(), keys),
                  options.address(),
                  options.labels(),
                  clock.millis(),
                  format),
              PATIENCE,
              joining::asked);
      EnrolmentAnswer.Welcome welcome = expect(EnrolmentAnswer.Welcome.class, answer);
      X509Certificate authority = Pem.certificate(welcome.authority());
      X509Certificate certificate = Pem.certificate(welcome.certificate());
      certificate.verify(authority.getPublicKey());
      if (!Arrays.equals(Fingerprint.sha256(authority.getEncoded()), token.authority())
          || !certificate.getPublicKey().equals(keys.getPublic())) {
        throw new GeneralSecurityException("the certificate is not the one that was asked for");
      }
      Invitation invitation = new Invitation(welcome.site(), welcome.voter());
      joining.keep(invitation);
      DeviceIdentity.write(directory, authority, certificate);
      return invitation;
    } catch (GeneralSecurityException e) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "joining at %s: %s".formatted(address, e.getMessage()), e);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "keeping the identity in %s: %s".formatted(directory, e),
          e);
    }
  }

  /**
   * Reads a token that was typed.
   *
   * @throws SiteException USAGE if it is none, or not all of one
   */
  public static TokenText token(String token) throws SiteException {
    try {
      return TokenText.parse(token);
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  /** Asks to be made a member; returns when it is done. */
  public static void admit(String address, DeviceIdentity identity, Member self)
      throws SiteException {
    expect(
        EnrolmentAnswer.Admitted.class,
        ask(
            address,
            contextOf(identity),
            new EnrolmentRequest.Admit(self.id(), self.address(), self.voter())));
  }

  /** Gets a new certificate and puts it in place of the old one. */
  public static void renew(String address, DeviceIdentity identity, String host)
      throws SiteException {
    try {
      EnrolmentAnswer.Renewed renewed =
          expect(
              EnrolmentAnswer.Renewed.class,
              ask(
                  address,
                  contextOf(identity),
                  new EnrolmentRequest.Renew(identity.signingRequest(), host)));
      identity.replace(Pem.certificate(renewed.certificate()));
    } catch (GeneralSecurityException | IOException e) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "the new certificate: " + e.getMessage(), e);
    }
  }

  /** Has a token made. */
  public static JoinToken token(String address, DeviceIdentity identity, Duration validFor)
      throws SiteException {
    EnrolmentAnswer.TokenMade made =
        expect(
            EnrolmentAnswer.TokenMade.class,
            ask(address, contextOf(identity), new EnrolmentRequest.MakeToken(validFor.toMillis())));
    return new JoinToken(made.text(), made.address(), made.endsAtMillis());
  }

  /**
   * Asks another device of the site what it has said.
   *
   * @throws SiteException with an {@link java.net.ConnectException} as its cause if nobody listens
   *     there, an {@link java.io.EOFException} if the connection was ended without an answer, a
   *     {@link TimeoutException} if there was none in time
   */
  public static LogPage log(
      String address, DeviceIdentity identity, LogQuery query, Duration patience)
      throws SiteException {
    return expect(
            EnrolmentAnswer.LogRead.class,
            ask(address, contextOf(identity), new EnrolmentRequest.ReadLog(query), patience))
        .page();
  }

  /**
   * Asks another device of the site what its tasks of a job have left out.
   *
   * @throws SiteException as {@link #log}
   */
  public static LeftOutPage leftOut(
      String address, DeviceIdentity identity, String job, Duration patience) throws SiteException {
    return expect(
            EnrolmentAnswer.LeftOutRead.class,
            ask(address, contextOf(identity), new EnrolmentRequest.ReadLeftOut(job), patience))
        .page();
  }

  /**
   * What another device of the site knows of the drift of a job's models.
   *
   * @throws SiteException as {@link #log}
   */
  public static List<ModelDrift> drifts(
      String address, DeviceIdentity identity, String job, Duration patience) throws SiteException {
    return expect(
            EnrolmentAnswer.DriftsRead.class,
            ask(address, contextOf(identity), new EnrolmentRequest.ReadDrifts(job), patience))
        .drifts();
  }

  /**
   * Has another device of the site make a bundle of itself.
   *
   * @return a zip file
   * @throws SiteException as {@link #log}; NOT_NOW while it makes another one
   */
  public static byte[] bundle(String address, DeviceIdentity identity, Duration patience)
      throws SiteException {
    return expect(
            EnrolmentAnswer.BundleRead.class,
            ask(address, contextOf(identity), new EnrolmentRequest.ReadBundle(), patience))
        .zip();
  }

  /**
   * Tells another device of the site of a file, which that begins to get; whether it has it by now.
   *
   * @throws SiteException as {@link #log}
   */
  public static boolean offer(
      String address, DeviceIdentity identity, FileOffer file, Duration patience)
      throws SiteException {
    return expect(
            EnrolmentAnswer.FileOffered.class,
            ask(address, contextOf(identity), new EnrolmentRequest.OfferFile(file), patience))
        .there();
  }

  /**
   * Asks another device of the site for a part of a job's file.
   *
   * @param offset where it begins
   * @throws SiteException as {@link #log}
   */
  public static FilePart file(
      String address, DeviceIdentity identity, String sha256, long offset, Duration patience)
      throws SiteException {
    return expect(
            EnrolmentAnswer.FileRead.class,
            ask(
                address,
                contextOf(identity),
                new EnrolmentRequest.ReadFile(sha256, offset),
                patience))
        .part();
  }

  /**
   * Asks another device of the site for sums over its rows.
   *
   * @throws SiteException as {@link #log}; NOT_NOW if it trains another model, or has no rows of
   *     this training any more; another code if it takes no part, or has failed
   */
  public static TrainingReply train(
      String address, DeviceIdentity identity, TrainingStep step, Duration patience)
      throws SiteException {
    return expect(
            EnrolmentAnswer.Trained.class,
            ask(address, contextOf(identity), new EnrolmentRequest.Train(step), patience))
        .reply();
  }

  /** Gets the authority's secret, which a person has offered this device there. */
  static byte[] takeAuthority(String address, DeviceIdentity identity, Duration patience)
      throws SiteException {
    return expect(
            EnrolmentAnswer.AuthorityGiven.class,
            ask(address, contextOf(identity), new EnrolmentRequest.TakeAuthority(), patience))
        .key();
  }

  private static SSLContext contextOf(DeviceIdentity identity) throws SiteException {
    try {
      return TlsContexts.of(identity.keyManager(), identity.trust());
    } catch (GeneralSecurityException e) {
      throw new SiteException(FailureCode.INTERNAL_ERROR, "TLS: " + e.getMessage(), e);
    }
  }

  private static <T extends EnrolmentAnswer> T expect(Class<T> type, EnrolmentAnswer answer)
      throws SiteException {
    if (answer instanceof EnrolmentAnswer.Refused refused) {
      throw new SiteException(refused.code(), refused.message());
    }
    if (type.isInstance(answer)) {
      return type.cast(answer);
    }
    throw new SiteException(
        FailureCode.CONNECTION_FAILED, "an answer of another kind: another version of Sedge?");
  }

  private static EnrolmentAnswer ask(String address, SSLContext context, EnrolmentRequest request)
      throws SiteException {
    return ask(address, context, request, PATIENCE);
  }

  private static EnrolmentAnswer ask(
      String address, SSLContext context, EnrolmentRequest request, Duration patience)
      throws SiteException {
    return ask(address, context, request, patience, () -> {});
  }

  /** In a virtual thread, whose socket is closed when it is interrupted, whatever it waits for. */
  private static EnrolmentAnswer ask(
      String address,
      SSLContext context,
      EnrolmentRequest request,
      Duration patience,
      Runnable onSending)
      throws SiteException {
    FutureTask<EnrolmentAnswer> exchange =
        new FutureTask<>(() -> exchange(address, context, request, onSending));
    Thread.ofVirtual().name("sedge-enrolment-" + address).start(exchange);
    try {
      return exchange.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new SiteException(
          FailureCode.CONNECTION_FAILED,
          "the device at %s has not answered within %s".formatted(address, patience),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SiteException(
          FailureCode.NOT_NOW, "asking the device at %s: interrupted".formatted(address), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SiteException known) {
        throw known;
      }
      throw new SiteException(
          FailureCode.INTERNAL_ERROR,
          "asking the device at %s: %s".formatted(address, e.getCause()),
          e);
    } finally {
      exchange.cancel(true);
    }
  }

  private static EnrolmentAnswer exchange(
      String address, SSLContext context, EnrolmentRequest request, Runnable onSending)
      throws SiteException {
    try (Socket socket = connect(address);
        SSLSocket tls = TlsContexts.clientSide(context, socket, Addresses.host(address))) {
      tls.startHandshake();
      onSending.run();
      new Frames(tls.getInputStream(), tls.getOutputStream(), request.maxBytes()).write(request);
      return new Frames(tls.getInputStream(), tls.getOutputStream(), request.maxAnswerBytes())
          .read(EnrolmentAnswer.class);
    } catch (SSLHandshakeException e) {
      if (Causes.text(e).contains(CERTIFICATE_REQUIRED)
          && request instanceof EnrolmentRequest.Join) {
        throw new SiteException(
            FailureCode.USAGE,
            "%s is the ledger's address of a device, where newcomers have no access; they ask at the next port: sedge device join %s"
                .formatted(address, Addresses.enrolment(address)),
            e);
      }
      throw new SiteException(
          FailureCode.JOIN_REFUSED,
          "the device at %s is not trusted, or does not trust this one: %s"
              .formatted(address, Causes.text(e)),
          e);
    } catch (Frames.MalformedFrameException e) {
      throw new SiteException(
          FailureCode.CONNECTION_FAILED,
          "the device at %s has sent %s: another version of Sedge?"
              .formatted(address, e.getMessage()),
          e);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.CONNECTION_FAILED,
          "the device at %s ended the connection: %s; is that its enrolment port, and is this device still one of its site?"
              .formatted(address, e.getMessage()),
          e);
    }
  }

  private static Socket connect(String address) throws SiteException {
    Socket socket = new Socket();
    try {
      socket.connect(
          new InetSocketAddress(
              InetAddress.getByName(Addresses.host(address)), Addresses.port(address)),
          CONNECT_MILLIS);
      return socket;
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.CONNECTION_FAILED,
          "no device answers at %s (%s): is it running, and is that its enrolment address?"
              .formatted(address, e.getMessage()),
          e);
    }
  }
}
