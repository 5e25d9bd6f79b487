package io.sedge.console.internal.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private final AtomicLong now = new AtomicLong();
  private final Sessions sessions = new Sessions(now::get);

  private boolean isOpen(String token) {
    return sessions.find(Optional.of(token)).isPresent();
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void aSessionThatIsNotUsedEnds() {
    String token = sessions.begin();
    pass(Duration.ofMinutes(119));
    assertThat(isOpen(token)).isTrue();
    pass(Duration.ofMinutes(121));
    assertThat(isOpen(token)).isFalse();
  }

  @Test
  void aSessionThatIsUsedEndsAfterTwelveHours() {
    String token = sessions.begin();
    for (int hour = 1; hour <= 12; hour++) {
      pass(Duration.ofHours(1));
      assertThat(isOpen(token)).isTrue();
    }
    pass(Duration.ofMinutes(1));
    assertThat(isOpen(token)).isFalse();
  }

  @Test
  void theOneThatWasNotUsedForTheLongestTimeMakesRoom() {
    String first = sessions.begin();
    String second = sessions.begin();
    assertThat(isOpen(first)).isTrue();
    for (int i = 0; i < Sessions.MOST - 1; i++) {
      var _ = sessions.begin();
    }
    assertThat(isOpen(first)).isTrue();
    assertThat(isOpen(second)).isFalse();
  }
}
