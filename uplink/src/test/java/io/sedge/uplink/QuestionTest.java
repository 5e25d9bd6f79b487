package io.sedge.uplink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.uplink.OrderPoll.Wants;
import io.sedge.uplink.UplinkException.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

/** Questions of a center and their answers on their way, also to and from other versions. */
class QuestionTest {
  private static final Question QUESTION =
      new Question(new UUID(1, 2), Question.LOG, "a", "plant", "anna (10.0.0.7)", 30_000);

  private static OrderPoll poll(Wants wants) {
    return new OrderPoll(wants, 7, 3, OrderPoll.NO_ID, 20, List.of(), Optional.empty());
  }

  @Test
  void questionsComeWithOrders() throws Exception {
    OrderAnswer answer = new OrderAnswer(9, List.of(), List.of(QUESTION));
    assertThat(OrderAnswer.read(answer.bytes())).isEqualTo(answer);
  }

  /** A version before reads a poll by whether its second byte is zero, and an answer to its end. */
  @Test
  void aVersionBeforeReadsWhatIsMeantForIt() throws Exception {
    assertThat(poll(Wants.ORDERS_AND_QUESTIONS).bytes()[1]).isNotZero();
    assertThat(poll(Wants.NOTHING).bytes()[1]).isZero();
    // Version, time held, number of orders: nothing after that.
    assertThat(new OrderAnswer(9, List.of()).bytes()).hasSize(1 + Long.BYTES + Integer.BYTES);
  }

  @Test
  void whatALaterVersionAddsToAQuestionIsPassedOver() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    QUESTION.write(new DataOutputStream(bytes));
    byte[] later = Arrays.copyOf(bytes.toByteArray(), bytes.size() + 3);
    later[3] = (byte) (later[3] + 3);
    assertThat(Question.read(new DataInputStream(new ByteArrayInputStream(later))))
        .isEqualTo(QUESTION);
  }

  @Test
  void whatALaterVersionWantsBesidesIsPassedOver() throws Exception {
    for (Wants wants : Wants.values()) {
      assertThat(OrderPoll.read(poll(wants).bytes()).wants()).isEqualTo(wants);
    }
    byte[] later = poll(Wants.ORDERS).bytes();
    later[1] = 9;
    assertThat(OrderPoll.read(later).wants()).isEqualTo(Wants.ORDERS_AND_QUESTIONS);
  }

  @Test
  void answersAndRefusalsArriveAsTheyWereGiven() throws Exception {
    byte[] body = {1, 2, 3};
    assertThat(QuestionAnswer.read(QuestionAnswer.of(body).bytes()).body()).isEqualTo(body);
    QuestionAnswer refused = QuestionAnswer.read(QuestionAnswer.refused("not allowed").bytes());
    assertThat(refused.isRefused()).isTrue();
    assertThat(refused.refusal()).isEqualTo("not allowed");
    assertThat(QuestionAnswer.refused("x".repeat(5_000)).bytes()).hasSizeLessThan(2_100);
    assertThatThrownBy(() -> QuestionAnswer.of(new byte[QuestionAnswer.MAX_BYTES + 1]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static SiteLog.Line line(int number, String text) {
    return new SiteLog.Line("a", number, "WARNING", "plant/pump-1", text);
  }

  @Test
  void aLogArrivesAsItWasSaid() throws Exception {
    SiteLog log =
        new SiteLog(
            List.of(
                line(1, "温度 was -3 °C"), new SiteLog.Line("b", 2, "INFO", "", "x".repeat(70_000))),
            Map.of("c", "it is down"));
    assertThat(SiteLog.read(log.bytes())).isEqualTo(log);
  }

  @Test
  void ofTooManyLinesTheLatestAreTold() {
    List<SiteLog.Line> lines = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      lines.add(line(i, "x"));
    }
    assertThat(SiteLog.latest(lines, Map.of()).lines()).isEqualTo(lines.subList(2_000, 3_000));
    lines.replaceAll(line -> line((int) line.atMillis(), "y".repeat(10_000)));
    List<SiteLog.Line> fitting = SiteLog.latest(lines, Map.of()).lines();
    assertThat(fitting).hasSizeBetween(90, 105).endsWith(lines.getLast());
  }

  /** Whatever somebody sends who is a site, it costs a bounded amount of memory. */
  @Test
  void whatIsCutDamagedOrLargerThanAllowedIsMalformed() throws Exception {
    byte[] log = new SiteLog(List.of(line(1, "x")), Map.of("c", "down")).bytes();
    for (int length = 0; length < log.length; length++) {
      byte[] cut = Arrays.copyOf(log, length);
      assertThatThrownBy(() -> SiteLog.read(cut))
          .isInstanceOfSatisfying(
              UplinkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED));
    }
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    bomb.write(log[0]);
    try (DeflaterOutputStream deflating = new DeflaterOutputStream(bomb)) {
      for (int i = 0; i < 64; i++) {
        deflating.write(new byte[1 << 20]);
      }
    }
    assertThat(bomb.size()).isLessThan(100_000);
    assertThatThrownBy(() -> SiteLog.read(bomb.toByteArray()))
        .hasRootCauseInstanceOf(IOException.class)
        .hasMessageContaining("when inflated");
  }
}
