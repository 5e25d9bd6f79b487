package io.sedge.connector.alarm.internal;

import io.sedge.connector.Options;
import io.sedge.connector.alarm.internal.NoticeOptions.Mail;
import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Properties;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Sends notices as mails by SMTP. Without TLS it speaks to loopback alone. The Message-ID is made
 * of the notice's id, by which mail programs know one that comes twice.
 */
final class MailSender implements NoticeSender {
  private static final String TIMEOUT_MILLIS = "10000";

  private final Mail mail;
  private final Session session;

  MailSender(Mail mail, SSLContext tls) {
    this.mail = mail;
    boolean wrapped = mail.server().getScheme().equals("smtps");
    Properties settings = new Properties();
    settings.setProperty("mail.smtp.connectiontimeout", TIMEOUT_MILLIS);
    settings.setProperty("mail.smtp.timeout", TIMEOUT_MILLIS);
    settings.setProperty("mail.smtp.writetimeout", TIMEOUT_MILLIS);
    settings.setProperty("mail.smtp.ssl.checkserveridentity", "true");
    settings.setProperty("mail.smtp.ssl.enable", Boolean.toString(wrapped));
    settings.setProperty("mail.smtp.starttls.enable", Boolean.toString(!wrapped));
    settings.setProperty(
        "mail.smtp.starttls.required", Boolean.toString(!wrapped && !mail.isLoopback()));
    settings.setProperty("mail.smtp.auth", Boolean.toString(mail.username().isPresent()));
    settings.setProperty("mail.smtp.sendpartial", "true");
    settings.put("mail.smtp.ssl.socketFactory", tls.getSocketFactory());
    this.session = Session.getInstance(settings);
  }

  /**
   * Addresses as RFC 822 has them.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER
   */
  static void checkAddresses(Options options, String key) {
    try {
      InternetAddress[] addresses = InternetAddress.parse(options.string(key), true);
      for (InternetAddress address : addresses) {
        address.validate();
      }
      if (addresses.length > 0) {
        return;
      }
    } catch (AddressException _) {
      // Said below.
    }
    throw options.wrong(key, "is not an address such as shift@plant.example");
  }

  @Override
  public void send(Notice notice) throws NotSentException {
    Transport transport = null;
    try {
      MimeMessage message = message(notice);
      transport = session.getTransport("smtp");
      transport.connect(
          mail.server().getHost(),
          mail.server().getPort(),
          mail.username().orElse(null),
          mail.password().orElse(null));
      transport.sendMessage(message, message.getAllRecipients());
    } catch (SendFailedException e) {
      Address[] reached = e.getValidSentAddresses();
      if (reached == null || reached.length == 0) {
        throw new NotSentException(isRefusal(e), mail.server().getHost() + ": " + text(e), e);
      }
    } catch (MessagingException e) {
      throw new NotSentException(false, mail.server().getHost() + ": " + text(e), e);
    } finally {
      quit(transport);
    }
  }

  /** What the server has taken is sent, however the connection ends. */
  private static void quit(@Nullable Transport transport) {
    try {
      if (transport != null) {
        transport.close();
      }
    } catch (MessagingException _) {
      // It is closed all the same.
    }
  }

  /** Codes from 500 on are for good (RFC 5321, 4.2.1), if the server says nothing else of any. */
  private static boolean isRefusal(SendFailedException e) {
    boolean known = false;
    for (Exception next = e;
        next instanceof MessagingException said;
        next = said.getNextException()) {
      int code =
          switch (said) {
            case SMTPSendFailedException failed -> failed.getReturnCode();
            case SMTPSenderFailedException failed -> failed.getReturnCode();
            case SMTPAddressFailedException failed -> failed.getReturnCode();
            default -> 0;
          };
      if (code > 0 && code < 500) {
        return false;
      }
      known |= code >= 500;
    }
    return known;
  }

  /** What servers say has line ends, and reasons stand in what it was caused by. */
  private static String text(MessagingException e) {
    Throwable cause = e.getNextException() == null ? e : e.getNextException();
    return String.valueOf(cause.getMessage()).strip().replaceAll("\\s+", " ");
  }

  private MimeMessage message(Notice notice) throws MessagingException {
    String id = UUID.nameUUIDFromBytes(notice.id().getBytes(StandardCharsets.UTF_8)).toString();
    MimeMessage message =
        new MimeMessage(session) {
          @Override
          protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", "<" + id + "@sedge>");
          }
        };
    message.setFrom(new InternetAddress(mail.from()));
    message.setRecipients(Message.RecipientType.TO, InternetAddress.parse(mail.to(), true));
    message.setSubject(NoticeText.subject(notice), "UTF-8");
    message.setText(NoticeText.body(notice), "UTF-8");
    message.setHeader("Auto-Submitted", "auto-generated");
    message.setHeader(
        "Date",
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            Instant.ofEpochMilli(notice.changes().getLast().atMillis()).atZone(ZoneOffset.UTC)));
    return message;
  }

  @Override
  public void close() {
    // Each notice has a connection of its own.
  }
}
