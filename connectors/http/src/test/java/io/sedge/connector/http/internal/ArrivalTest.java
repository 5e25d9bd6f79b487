package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.http.internal.Call.Reply;
import io.sedge.connector.testkit.TestContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a body may take while it arrives. The clock stands until it is moved. */
final class ArrivalTest {
  private static final int MAX_BYTES = 100;

  private final TestContext context = new TestContext(Path.of("."));
  private final ArrivalRoom room = new ArrivalRoom(50);

  private Arrival arrival(InputStream input) {
    return new Arrival(room, () -> input, MAX_BYTES, context::nanoTime);
  }

  private static InputStream bytes(int count) {
    return new ByteArrayInputStream("x".repeat(count).getBytes(UTF_8));
  }

  @Test
  void aBodyIsReadUpToItsBound() throws IOException {
    try (Arrival arrival = arrival(bytes(MAX_BYTES))) {
      assertThat(arrival.read()).isEmpty();
      assertThat(arrival.body()).hasSize(MAX_BYTES);
    }
    try (Arrival arrival = arrival(bytes(MAX_BYTES + 1))) {
      assertThat(arrival.read()).contains(new Reply(413, "a body may have 100 bytes"));
    }
    assertThat(room.take(0, 50)).as("all room was given back").isTrue();
  }

  @Test
  void bodiesThatComeAtOnceShareTheRoom() throws IOException {
    try (Arrival first = arrival(bytes(30));
        Arrival second = arrival(bytes(21))) {
      assertThat(first.read()).isEmpty();
      assertThat(second.read()).contains(Arrival.FULL);
    }
    try (Arrival third = arrival(bytes(21))) {
      assertThat(third.read()).isEmpty();
    }
  }

  // A byte every minute is no silence.
  @Test
  void aBodyThatTricklesIsBrokenOff() throws IOException {
    InputStream trickle =
        new InputStream() {
          @Override
          public int read() {
            context.pass(60_000);
            return 'x';
          }

          @Override
          public int read(byte[] part, int from, int most) {
            part[from] = (byte) read();
            return 1;
          }
        };
    try (Arrival arrival = arrival(trickle)) {
      assertThat(arrival.read()).contains(new Reply(408, "the body has not come within 120 s"));
      assertThat(arrival.skipRest()).as("and not waited for").isFalse();
    }
  }

  @Test
  void whatIsLeftOfARefusedBodyIsPassedOver() throws IOException {
    try (Arrival arrival = arrival(bytes(10))) {
      assertThat(arrival.skipRest()).isTrue();
    }
    try (Arrival arrival = arrival(bytes(1 << 20))) {
      assertThat(arrival.skipRest()).isFalse();
    }
  }
}
