package io.sedge.connector.alarm.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What mail servers answer. */
@Timeout(60)
final class MailSenderTest {
  private static final Notice NOTICE =
      new Notice(
          "a/1",
          "hot",
          AlarmPriority.HIGH,
          List.of(
              new AlarmChange(
                  1,
                  1,
                  "pump-2",
                  1,
                  AlarmEvent.RAISE,
                  AlarmState.UNACKNOWLEDGED,
                  null,
                  "",
                  "",
                  "")),
          0,
          0);

  /** What is said of recipients. */
  private volatile String answer = "250 yes";

  private ServerSocket server;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept();
          OutputStream output = socket.getOutputStream();
          BufferedReader lines =
              new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
        talk(lines, output);
      } catch (IOException _) {
        // The client or the test has gone.
      }
    }
  }

  /** Ends without an answer to QUIT. */
  private void talk(BufferedReader lines, OutputStream output) throws IOException {
    boolean inData = false;
    say(output, "220 here");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (inData) {
        inData = !line.equals(".");
        if (!inData) {
          say(output, "250 taken");
        }
      } else if (line.startsWith("QUIT")) {
        return;
      } else if (line.startsWith("DATA")) {
        inData = true;
        say(output, "354 go on");
      } else {
        say(output, line.startsWith("RCPT") ? answer : "250 yes");
      }
    }
  }

  private static void say(OutputStream output, String line) throws IOException {
    output.write((line + "\r\n").getBytes(UTF_8));
  }

  private void send() throws Exception {
    URI uri = URI.create("smtp://127.0.0.1:" + server.getLocalPort());
    NoticeOptions.Mail mail =
        new NoticeOptions.Mail(
            uri, "a@plant.example", "b@plant.example", Optional.empty(), Optional.empty());
    try (NoticeSender sender = new MailSender(mail, SSLContext.getDefault())) {
      sender.send(NOTICE);
    }
  }

  // RFC 5321, 4.2.1: a full mailbox or grey listing is over some day.
  @Test
  void aRecipientThatIsNotTakenForNowIsNoRefusal() {
    answer = "450 later";
    assertThatExceptionOfType(NoticeSender.NotSentException.class)
        .isThrownBy(this::send)
        .satisfies(failure -> assertThat(failure.isRefused()).isFalse())
        .withMessageContaining("450 later");
    answer = "550 nobody";
    assertThatExceptionOfType(NoticeSender.NotSentException.class)
        .isThrownBy(this::send)
        .satisfies(failure -> assertThat(failure.isRefused()).isTrue());
  }

  @Test
  void whatTheServerHasTakenIsSentHoweverTheConnectionEnds() throws Exception {
    send();
    assertThat(server.isClosed()).isFalse();
  }
}
