package io.sedge.connector.http.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.http.internal.CallQueue.Offer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What repeats of a request that is under way take: a place to wait, and no body. */
final class CallQueueTest {
  private final CallQueue queue = new CallQueue(1 << 20, 16);

  private static Call call(long identity) {
    return new Call(new byte[10], "127.0.0.1", 0, Optional.of(identity));
  }

  @Test
  void aRepeatWaitsForTheFirst() {
    Call first = call(1);
    assertThat(queue.offer(first)).isEqualTo(new Offer.Waits(first));
    assertThat(queue.offer(call(1))).as("its body is let go").isEqualTo(new Offer.Waits(first));
    assertThat(queue.take()).isSameAs(first);
    assertThat(queue.take()).isNull();
  }

  @Test
  void aFewMayWaitForOneRequest() {
    List<Offer> offers =
        Stream.concat(
                IntStream.range(0, 8).mapToObj(_ -> queue.offer(call(1))),
                Stream.of(queue.offer(call(2))))
            .toList();
    assertThat(offers).hasOnlyElementsOfType(Offer.Waits.class);
    assertThat(queue.offer(call(1))).isEqualTo(new Offer.Answered(Arrival.FULL));
    if (offers.getFirst() instanceof Offer.Waits(Call first)) {
      queue.leave(first);
    }
    assertThat(queue.offer(call(1))).as("one has left").isEqualTo(offers.getFirst());
  }
}
