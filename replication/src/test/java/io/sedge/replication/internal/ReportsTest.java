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

  /** Who has many addresses must not fill the memory with them. */
  @Test
  void theAddressesOfLongAgoAreForgotten() {
    for (int i = 0; i <= Reports.MAX_REFUSED; i++) {
      reports.refused("10.0.%d.%d".formatted(i / 256, i % 256), Why.NO_TLS, "x");
    }
    reports.refused("10.0.0.1", Why.NO_TLS, "x");
    assertThat(said).as("it is still known").hasSize(Reports.MAX_REFUSED + 1);
    reports.refused("10.0.0.0", Why.NO_TLS, "x");
    assertThat(said).as("it was forgotten").hasSize(Reports.MAX_REFUSED + 2);
  }

  /** What is said in it may come from outside. */
  @Test
  void aLongReasonIsCut() {
    reports.refused("10.0.0.7", Why.HANDSHAKE, "x".repeat(100_000));
    assertThat(said.getFirst()).hasSizeLessThan(400);
  }
}
