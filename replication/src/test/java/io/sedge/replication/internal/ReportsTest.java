package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.replication.internal.Reports.Why;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportsTest {
  private final List<String> said = new ArrayList<>();
  private long nanos;
  private final Reports reports = new Reports((_, message) -> said.add(message), () -> nanos);

  @Test
  void aRefusalIsSaidOnceAMinuteForEachAddressAndReason() {
    for (int i = 0; i < 3; i++) {
      reports.refused("10.0.0.7", Why.NO_TLS, "it does not speak TLS");
      reports.refused("10.0.0.8", Why.NO_TLS, "it does not speak TLS");
      reports.refused("10.0.0.7", Why.NO_CERTIFICATE, "it showed no certificate");
    }
    assertThat(said)
        .containsExactly(
            "ledger: refused 10.0.0.7: it does not speak TLS",
            "ledger: refused 10.0.0.8: it does not speak TLS",
            "ledger: refused 10.0.0.7: it showed no certificate");
    said.clear();
    nanos += Reports.GAP_NANOS;
    reports.refused("10.0.0.7", Why.NO_TLS, "it does not speak TLS");
    assertThat(said)
        .containsExactly("ledger: refused 10.0.0.7: it does not speak TLS (and 2 times before)");
    assertThat(reports.refusals()).isEqualTo(10);
  }

  private void refuse(int first, int count) {
    for (int i = first; i < first + count; i++) {
      reports.refused("10.0.%d.%d".formatted(i / 256, i % 256), Why.NO_TLS, "x");
    }
  }

  /** Who has many addresses must fill neither the memory nor the log with them. */
  @Test
  void ofTooManyAddressesNoMoreAreSaidWithinAMinute() {
    refuse(0, Reports.MAX_REFUSED);
    assertThat(said).hasSize(Reports.MAX_REFUSED);
    said.clear();
    refuse(Reports.MAX_REFUSED, 1_000);
    assertThat(said)
        .containsExactly(
            "ledger: refused connections from more than 256 addresses within a minute");
    said.clear();
    refuse(0, Reports.MAX_REFUSED);
    assertThat(said).as("they are still known").isEmpty();
    assertThat(reports.refusals()).as("all are counted").isEqualTo(1_512);
  }

  @Test
  void thatThereAreTooManyAddressesIsSaidOnceAMinuteWithTheRepeats() {
    refuse(0, Reports.MAX_REFUSED + 8);
    nanos += Reports.GAP_NANOS;
    said.clear();
    refuse(1_000, Reports.MAX_REFUSED);
    assertThat(said).as("the places of others, for new ones").hasSize(Reports.MAX_REFUSED);
    said.clear();
    refuse(2_000, 3);
    assertThat(said)
        .containsExactly(
            "ledger: refused connections from more than 256 addresses within a minute"
                + " (and 7 times before)");
  }

  @Test
  void theAddressesOfLongAgoAreForgotten() {
    refuse(0, 1);
    nanos += Reports.GAP_NANOS / 2;
    refuse(1, Reports.MAX_REFUSED - 1);
    nanos += Reports.GAP_NANOS / 2;
    said.clear();
    refuse(1_000, 1);
    assertThat(said)
        .as("in the place of the first")
        .containsExactly("ledger: refused 10.0.3.232: x");
    said.clear();
    refuse(1_001, 1);
    assertThat(said)
        .as("no other was said a minute ago")
        .containsExactly(
            "ledger: refused connections from more than 256 addresses within a minute");
  }

  /** What is said in it may come from outside. */
  @Test
  void aLongReasonIsCut() {
    reports.refused("10.0.0.7", Why.HANDSHAKE, "x".repeat(100_000));
    assertThat(said.getFirst()).hasSizeLessThan(400);
  }
}
